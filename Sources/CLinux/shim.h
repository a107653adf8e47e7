// What Linux has and the module Glibc does not show.
#ifdef __linux__
#include <sys/inotify.h>
#endif
