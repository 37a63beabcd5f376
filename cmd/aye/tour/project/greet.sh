#!/bin/sh
# greet.sh [NAME]: greets NAME, or the world.
name=$1
echo "Hello, $name!"
