// Game descriptions in infix syntax for tree-sitter.
const separated = (rule) => optional(seq(rule, repeat(seq(",", rule))));

module.exports = grammar({
  name: "gdl_infix",
  extras: ($) => [/[\s\uFEFF]/, $.comment],
  word: ($) => $._plain,
  rules: {
    source_file: ($) => repeat($.clause),
    clause: ($) => prec.right(seq(field("head", $._atom), optional(seq($._arrow, $._body)), optional("."))),
    _arrow: () => choice(":-", "<="),
    _body: ($) => field("condition", choice($._condition, $.conjunction, $.disjunction)),
    conjunction: ($) => prec.left(2, seq($._body, choice("&", ",", "and"), $._body)),
    disjunction: ($) => prec.left(1, seq($._body, choice("|", ";", "or"), $._body)),
    _condition: ($) => choice($.negation, $.inequality, $.connective, $.group, $._atom),
    negation: ($) => seq(choice("~", "\\+", "not"), $._condition),
    inequality: ($) => seq($._term, choice("\\=", "!="), $._term),
    // Here a comma stands between operands.
    connective: ($) => seq(field("operator", choice("and", "or")), "(", separated($._operand), ")"),
    _operand: ($) => choice($._condition, $.operand),
    operand: ($) => prec.left(seq($._operand, choice("&", "|", ";", "and", "or"), $._operand)),
    group: ($) => seq("(", $._body, ")"),
    _atom: ($) => choice($.atom, alias($.name, $.atom)),
    atom: ($) => seq(field("name", $.name), $._arguments),
    _term: ($) => choice($.variable, alias($.name, $.constant), $.function),
    function: ($) => seq(field("name", $.name), $._arguments),
    _arguments: ($) => seq("(", separated(field("argument", $._term)), ")"),
    name: ($) => choice($._plain, /-?[0-9]+/, /'([^'\n]|'')*'/),
    _plain: () => /[\p{Ll}\p{Lo}][\p{L}\p{N}_]*/,
    variable: () => choice(/[\p{Lu}_][\p{L}\p{N}_]*/, /\?[\p{L}\p{N}_]+/, /\?'([^'\n]|'')*'/),
    comment: () => /%.*/,
  },
});
