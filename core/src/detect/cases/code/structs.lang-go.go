package unix

type Stat_t struct {
	Dev     uint64
	Mode    uint32
	Ino     uint64
	Nlink   uint32
	Uid     uint32
	Atim    Timespec
	Size    int64
}

type Rlimit struct {
	Cur uint64
	Max uint64
}

const (
	SizeofPtr = 0x8
	SizeofInt = 0x4
)
