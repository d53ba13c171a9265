#!/bin/bash
# fake_system.sh FOLDER COMMAND...: runs the command with the programs of FOLDER and a few harmless real ones on the PATH,
# and prints its exit status.
for program in bash cat dirname env grep mktemp rm sed tail; do
  [ -e "$1/$program" ] || ln -s "$(command -v "$program")" "$1/$program"
done
chmod +x "$1"/*
PATH=$1 "${@:2}" 2>&1 </dev/null
echo "exit status $?"
