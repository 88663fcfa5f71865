#!/bin/sh
# Prints the name of a Python that is new enough, or says in one sentence that there is none.
#
#     sh tools/find_python.sh [PYTHON ...]     tries these first, then python3, then the newest named one
#
# A name counts only if it runs: a version manager leaves names on the path whose Python is not there.
old=""
for python in "$@" python3 python3.14 python3.13 python3.12 python3.11; do
    version=$("$python" -c 'import sys; print("%d.%d.%d" % sys.version_info[:3])' 2>/dev/null) || continue
    if "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
        [ -z "$old" ] || echo "divmetrics needs Python 3.11 or newer and $old, so $python ($version) is used." >&2
        echo "$python"
        exit 0
    fi
    [ -n "$old" ] || old="$python is $version"
done
echo "divmetrics needs Python 3.11 or newer and ${old:-there is no python3 here}:" \
    "install one, or name one you have, as in: make lab PYTHON=/path/to/python3.12" >&2
exit 1
