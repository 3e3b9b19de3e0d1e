;;; gdl-mode.el --- Game descriptions (GDL) -*- lexical-binding: t -*-

;;; Commentary:
;; Two modes, for prefix files (.kif) and infix files (.gdl), and the server `ludex lsp' for eglot.
;; (add-to-list 'load-path "/path/to/ludex/editors/emacs") (require 'gdl-mode)

;;; Code:

(defvar eglot-server-programs)

(defconst gdl-words
  '("role" "base" "input" "init" "true" "does" "next" "legal" "goal" "terminal" "distinct" "sees"))

(defconst gdl-kif-font-lock
  `((,(concat "(\\s-*\\(<=\\|and\\|or\\|not\\)\\_>") 1 font-lock-builtin-face)
    (,(concat "\\_<" (regexp-opt gdl-words t) "\\_>") 1 font-lock-keyword-face)
    ("\\?[^ \t\n();]+" . font-lock-variable-name-face)
    ("(\\s-*\\([^ \t\n();?]+\\)" 1 font-lock-function-name-face)))

(defconst gdl-infix-font-lock
  `((":-\\|[&|~]\\|\\\\=" . font-lock-builtin-face)
    (,(concat "\\_<" (regexp-opt gdl-words t) "\\_>") 1 font-lock-keyword-face)
    ("\\_<[A-Z_][A-Za-z0-9_]*\\_>" . font-lock-variable-name-face)
    ("\\_<\\([a-z][A-Za-z0-9_]*\\)(" 1 font-lock-function-name-face)))

;;;###autoload
(define-derived-mode gdl-kif-mode lisp-data-mode "GDL"
  "Game descriptions in prefix syntax."
  (setq-local comment-start "; ")
  (setq-local font-lock-defaults '(gdl-kif-font-lock nil t)))

;;;###autoload
(define-derived-mode gdl-infix-mode prog-mode "GDL infix"
  "Game descriptions in infix syntax."
  (modify-syntax-entry ?% "<" gdl-infix-mode-syntax-table)
  (modify-syntax-entry ?\n ">" gdl-infix-mode-syntax-table)
  (modify-syntax-entry ?_ "_" gdl-infix-mode-syntax-table)
  (setq-local comment-start "% ")
  (setq-local font-lock-defaults '(gdl-infix-font-lock)))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.kif\\'" . gdl-kif-mode))
;;;###autoload
(add-to-list 'auto-mode-alist '("\\.gdl\\'" . gdl-infix-mode))

(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs '((gdl-kif-mode gdl-infix-mode) . ("ludex" "lsp"))))

(provide 'gdl-mode)
;;; gdl-mode.el ends here
