// Game descriptions in prefix syntax (KIF) for tree-sitter.
module.exports = grammar({
  name: "gdl_kif",
  extras: ($) => [/[\s\uFEFF]/, $.comment],
  word: ($) => $.name,
  rules: {
    // All clauses may stand in one list.
    source_file: ($) => repeat(choice($._clause, $.list)),
    list: ($) => seq("(", choice($.rule, $.atom, $.list), repeat(choice($._clause, $.list)), ")"),
    _clause: ($) => choice($.rule, $._atom),
    rule: ($) => seq("(", "<=", field("head", $._atom), repeat(field("condition", $._condition)), ")"),
    _condition: ($) => choice($.connective, $._atom),
    connective: ($) => seq("(", field("operator", $._operator), repeat($._condition), ")"),
    _operator: () => choice(...["and", "or", "not"].map((word) => alias(new RegExp(word, "i"), word))),
    _atom: ($) => choice($.atom, alias($.name, $.atom)),
    atom: ($) => seq("(", field("name", $.name), repeat(field("argument", $._term)), ")"),
    _term: ($) => choice($.variable, alias($.name, $.constant), $.function),
    function: ($) => seq("(", field("name", $.name), repeat(field("argument", $._term)), ")"),
    variable: () => /\?[^\s();]+/,
    name: () => /[^\s();?\uFEFF][^\s();]*/,
    comment: () => /;.*/,
  },
});
