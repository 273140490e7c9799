// A FUSE file system as a broken one is: it mounts, and then answers nothing, or every question with one error.
package main

import (
	"flag"
	"fmt"
	"os"
	"syscall"
	"time"

	"github.com/hanwen/go-fuse/v2/fuse"
)

var errnos = map[string]syscall.Errno{
	"EACCES":    syscall.EACCES,
	"EHOSTDOWN": syscall.EHOSTDOWN,
	"EIO":       syscall.EIO,
	"ESTALE":    syscall.ESTALE,
}

type broken struct {
	fuse.RawFileSystem
	status fuse.Status
}

func (b *broken) GetAttr(<-chan struct{}, *fuse.GetAttrIn, *fuse.AttrOut) fuse.Status {
	return b.answer()
}

func (b *broken) StatFs(<-chan struct{}, *fuse.InHeader, *fuse.StatfsOut) fuse.Status {
	return b.answer()
}

func (b *broken) Lookup(<-chan struct{}, *fuse.InHeader, string, *fuse.EntryOut) fuse.Status {
	return b.answer()
}

func (b *broken) OpenDir(<-chan struct{}, *fuse.OpenIn, *fuse.OpenOut) fuse.Status {
	return b.answer()
}

// OK stands for no answer, ever: not even to an interrupt.
func (b *broken) answer() fuse.Status {
	for b.status == fuse.OK {
		time.Sleep(time.Hour)
	}
	return b.status
}

func main() {
	name := flag.String("error", "", "answer with this error: EACCES, EHOSTDOWN, EIO or ESTALE (default: never answer)")
	flag.Parse()
	errno, known := errnos[*name]
	if flag.NArg() != 1 || (*name != "" && !known) {
		flag.Usage()
		os.Exit(2)
	}
	fs := &broken{fuse.NewDefaultRawFileSystem(), fuse.Status(errno)}
	server, err := fuse.NewServer(fs, flag.Arg(0), &fuse.MountOptions{
		DirectMountStrict: true,
		FsName:            "fuse-hang",
		Name:              "hang",
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, "fuse-hang:", err)
		os.Exit(1)
	}
	fmt.Println("mounted")
	server.Serve()
}
