// Game descriptions in prefix syntax (KIF) for tree-sitter.
module.exports = grammar({
  name: "gdl",
  extras: ($) => [/\s/, $.comment],
  word: ($) => $.name,
  rules: {
    source_file: ($) => repeat($._clause),
    _clause: ($) => choice($.rule, $.atom, alias($.name, $.atom)),
    rule: ($) => seq("(", "<=", field("head", $._head), repeat(field("condition", $._condition)), ")"),
    _head: ($) => choice($.atom, alias($.name, $.atom)),
    _condition: ($) => choice($.connective, $.atom, alias($.name, $.atom)),
    connective: ($) => seq("(", field("operator", choice("and", "or", "not")), repeat($._condition), ")"),
    atom: ($) => seq("(", field("name", $.name), repeat(field("argument", $._term)), ")"),
    _term: ($) => choice($.variable, alias($.name, $.constant), $.function),
    function: ($) => seq("(", field("name", $.name), repeat(field("argument", $._term)), ")"),
    variable: () => /\?[^\s();]+/,
    name: () => /[^\s();?][^\s();]*/,
    comment: () => /;.*/,
  },
});
