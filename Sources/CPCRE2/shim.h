// PCRE2 needs to know the width of a code unit before its header is read.
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
