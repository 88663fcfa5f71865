#!/bin/sh
# Makes a new virtual environment in a folder, in the place of an old one there.
#
#     sh tools/make_venv.sh FOLDER [PYTHON ...]     the Python is the one that find_python.sh prints
#
# A link is refused: the old environment to be emptied would be that of another checkout.
folder=$1
shift
if [ -L "$folder" ]; then
    echo "$folder is a symbolic link to $(readlink "$folder"), which setup would empty:" \
        "remove the link (rm $folder) and run make again, which then makes a folder here" >&2
    exit 1
fi
python=$(sh "$(dirname "$0")/find_python.sh" "$@") || exit 1
"$python" -m venv --clear "$folder" || {
    echo "$python -m venv failed (see above); Debian and Ubuntu: apt-get install python3-venv" >&2
    exit 1
}
