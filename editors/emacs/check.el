;;; check.el --- Tries gdl-mode on two files: emacs --batch -l check.el -*- lexical-binding: t -*-

;;; Code:

(require 'subr-x)
(defconst check-folder (file-name-directory load-file-name))
(add-to-list 'load-path check-folder)
(require 'gdl-mode)

(defun check-faces (file mode)
  "Open FILE, expect MODE and every face that a game description has."
  (with-current-buffer (find-file-noselect (expand-file-name (concat "../../games/" file) check-folder))
    (unless (eq major-mode mode) (error "%s opens in %s" file major-mode))
    (font-lock-ensure)
    (dolist (face '(font-lock-comment-face font-lock-keyword-face font-lock-builtin-face
                    font-lock-variable-name-face font-lock-function-name-face))
      (unless (text-property-any (point-min) (point-max) 'face face)
        (error "%s has nothing in %s" file face)))
    (message "%s: %s" file major-mode)))

(check-faces "tictactoe.kif" 'gdl-kif-mode)
(check-faces "reversi.gdl" 'gdl-infix-mode)

;;; check.el ends here
