# Arguments: the command's mark, the number of its output pipe.
# Input: the command's process; when aye dies, the end.
exec >/dev/null 2>&1
mark=$1 pipe=$2 pid=none
while read -r line; do pid=$line; done

# What is alive, as "PID PARENT GROUP SESSION ...".
processes() {
	all=
	if [ -r /proc/self/stat ]; then
		for dir in /proc/[0-9]*; do
			stat=
			while IFS= read -r line; do stat="$stat$line "; done <"$dir/stat"
			set -- ${stat##*') '} # the name before it may hold anything
			case $1 in [A-WY]) all="$all ${dir#/proc/} $2 $3 $4" ;; esac
		done
	else
		all=$(ps -A -o pid= -o ppid= -o pgid= -o stat= | while read -r p parent group state; do
			case $state in Z*) ;; *) echo "$p $parent $group $group" ;; esac
		done)
	fi
}

# What of it belongs to the command: by its mark, by the pipe, by session or
# group, and all that descends from those.
members() {
	in=" "
	if [ -r /proc/self/stat ]; then
		for file in $(grep -lsF -e "$mark" /proc/[0-9]*/environ); do
			file=${file#/proc/} in="$in${file%%/*} "
		done
		[ -n "$pipe" ] && for p in $(ls -ln /proc/[0-9]*/fd/1 /proc/[0-9]*/fd/2 | sed -n "s|^.* /proc/\([0-9]*\)/fd/[12] -> pipe:\[$pipe\]\$|\1|p"); do
			in="$in$p "
		done
	fi
	processes
	grown=1
	while [ -n "$grown" ]; do
		grown=
		set -- $all
		while [ $# -ge 4 ]; do
			case "$in" in
			*" $1 "*) ;;
			*)
				belongs=
				[ "$3" = "$pid" ] || [ "$4" = "$pid" ] && belongs=1
				case "$in" in *" $2 "*) belongs=1 ;; esac
				[ -n "$belongs" ] && [ "$1" != $$ ] && in="$in$1 " grown=1
				;;
			esac
			shift 4
		done
	done
}

# First a word, then by force until two looks find nothing.
signal=TERM round=0 nothing=0
while [ $round -lt 60 ] && [ $nothing -lt 2 ]; do
	members
	if [ "$in" = " " ]; then
		nothing=$((nothing + 1))
	else
		nothing=0
		kill -s $signal $in
		[ $signal = TERM ] && kill -s CONT $in
	fi
	signal=KILL round=$((round + 1))
	sleep 0.1 || sleep 1
done
