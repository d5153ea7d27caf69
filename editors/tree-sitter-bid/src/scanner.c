// What the grammar alone cannot tell: whether a line end separates, and whether `*` or `-ε` after an integer makes it chips.

#include "tree_sitter/parser.h"

enum Token { LINE_END, ITEM_END, CHIPS, ERROR_SENTINEL };

void *tree_sitter_bid_external_scanner_create(void) { return NULL; }
void tree_sitter_bid_external_scanner_destroy(void *payload) { (void)payload; }
unsigned tree_sitter_bid_external_scanner_serialize(void *payload, char *buffer) {
  (void)payload;
  (void)buffer;
  return 0;
}
void tree_sitter_bid_external_scanner_deserialize(void *payload, const char *buffer, unsigned length) {
  (void)payload;
  (void)buffer;
  (void)length;
}

static bool is_digit(int32_t c) { return c >= '0' && c <= '9'; }

static bool is_blank(int32_t c) { return c == ' ' || (c >= '\t' && c <= '\r') || c == 0xA0 || c == 0xFEFF; }

// Whether a character may stand inside a word. Beyond ASCII all do that are neither operators nor blanks.
static bool is_word_part(int32_t c) {
  if (c < 0x80) {
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '\'';
  }
  switch (c) {
    case 0xA0: case 0xFEFF:                       // blanks
    case 0xB1: case 0xB7: case 0xD7: case 0x2212: // ± · × −
    case 0x2227: case 0x2225: case 0x2260:        // ∧ ∥ ≠
    case 0x2261: case 0x2262: case 0x2264: case 0x2265:  // ≡ ≢ ≤ ≥
      return false;
    default:
      return true;
  }
}

// Goes on behind blanks, line ends and comments; false at a `/` that starts no comment.
static bool skip_blanks_and_comments(TSLexer *lexer) {
  for (;;) {
    while (is_blank(lexer->lookahead)) lexer->advance(lexer, false);
    if (lexer->lookahead != '/') return true;
    lexer->advance(lexer, false);
    if (lexer->lookahead != '/') return false;
    while (lexer->lookahead != '\n' && !lexer->eof(lexer)) lexer->advance(lexer, false);
  }
}

static bool equals(const char *word, const char *other) {
  while (*word && *word == *other) word++, other++;
  return *word == *other;
}

// Whether a line that starts with this word belongs to the one before it.
static bool goes_on(const char *word, bool in_lines) {
  static const char *const words[] = {"then", "else", "in", "for", "and", "or", "at", "after"};
  for (unsigned i = 0; i < sizeof words / sizeof *words; i++) {
    if (equals(word, words[i])) return true;
  }
  return in_lines && equals(word, "if");
}

static bool scan_line_end(TSLexer *lexer, const bool *valid) {
  lexer->advance(lexer, false);
  lexer->mark_end(lexer);
  lexer->result_symbol = valid[ITEM_END] ? ITEM_END : LINE_END;
  if (!skip_blanks_and_comments(lexer)) return true;
  char word[8] = {0};
  unsigned length = 0;
  while (is_word_part(lexer->lookahead) && !lexer->eof(lexer)) {
    if (length == sizeof word - 1 || lexer->lookahead >= 0x80) return true;
    word[length++] = (char)lexer->lookahead;
    lexer->advance(lexer, false);
  }
  return !goes_on(word, valid[ITEM_END]);
}

// Chips: `4*` unless a word or `(` follows, which makes it a product; `3-ε`, `3-eps`.
static bool scan_chips(TSLexer *lexer) {
  while (is_digit(lexer->lookahead)) lexer->advance(lexer, false);
  if (lexer->lookahead == '*') {
    lexer->advance(lexer, false);
    if (lexer->lookahead == '(' || is_word_part(lexer->lookahead)) return false;
  } else if (lexer->lookahead == '-' || lexer->lookahead == 0x2212) {
    lexer->advance(lexer, false);
    if (lexer->lookahead == 0x3B5) {
      lexer->advance(lexer, false);
    } else {
      for (const char *letter = "eps"; *letter; letter++) {
        if (lexer->lookahead != *letter) return false;
        lexer->advance(lexer, false);
      }
    }
    if (is_word_part(lexer->lookahead)) return false;
  } else {
    return false;
  }
  lexer->result_symbol = CHIPS;
  return true;
}

bool tree_sitter_bid_external_scanner_scan(void *payload, TSLexer *lexer, const bool *valid) {
  (void)payload;
  bool recovers = valid[ERROR_SENTINEL];
  while (is_blank(lexer->lookahead) && lexer->lookahead != '\n') lexer->advance(lexer, true);
  if (lexer->lookahead == '\n' && (valid[LINE_END] || valid[ITEM_END]) && !recovers) return scan_line_end(lexer, valid);
  while (is_blank(lexer->lookahead)) lexer->advance(lexer, true);
  if (is_digit(lexer->lookahead) && valid[CHIPS]) return scan_chips(lexer);
  return false;
}
