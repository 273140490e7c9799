package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/signal"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"
)

// As containerd and CSI drivers come and go: the name is removed, then bound; closing the listener removes it again, whatever lies there then.
// SIGTERM lets calls end, SIGINT cuts them off. It prints 'listening' and the inode of its socket.
func serveAgain(path string) {
	// It may not have been there.
	_ = os.Remove(path)
	listener, err := net.Listen("unix", path)
	if err != nil {
		fail(err)
	}
	var bound syscall.Stat_t
	if err := syscall.Lstat(path, &bound); err != nil {
		fail(err)
	}
	server := grpc.NewServer(grpc.UnknownServiceHandler(func(_ any, stream grpc.ServerStream) error {
		message, err := receive(stream)
		if err != nil {
			return atEnd(err)
		}
		// So that calls are under way at any moment.
		time.Sleep(time.Duration(rand.IntN(3)) * time.Millisecond)
		return stream.SendMsg(&message)
	}), grpc.ForceServerCodec(raw{}))
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGTERM, syscall.SIGINT)
	stopped := make(chan struct{})
	go func() {
		if <-stop == syscall.SIGTERM {
			// A client that keeps a stream open must not keep the process.
			limit := time.AfterFunc(time.Second, server.Stop)
			server.GracefulStop()
			limit.Stop()
		} else {
			server.Stop()
		}
		close(stopped)
	}()
	fmt.Println("listening", bound.Ino)
	if err := server.Serve(listener); err != nil {
		fail(err)
	}
	<-stopped
}

// One that failed, in microseconds since 1970; or at the end how many there were.
type callReport struct {
	Client  string `json:"client"`
	Number  int    `json:"number"`
	Begun   int64  `json:"begun,omitempty"`
	Ended   int64  `json:"ended,omitempty"`
	Code    string `json:"code,omitempty"`
	Message string `json:"message,omitempty"`
	// Of the attempt to connect that failed last: its error is the answer to each call until another one has come as far as the server's first frame, and to some a moment longer.
	Dialed *attempt `json:"dialed,omitempty"`
	Calls  int      `json:"calls,omitempty"`
}

type attempt struct {
	Begun int64 `json:"begun"`
	Ended int64 `json:"ended"`
}

type calledConn struct {
	*grpc.ClientConn
	failed atomic.Pointer[attempt]
}

// Calls without retries until SIGTERM, the n-th to /rounds.CLIENT/Cn. Of those that fail it prints a line each. CLIENT is 'Dial', with a connection
// for each call as a kubelet makes them to drivers, or 'Keep', with four callers on a connection that they change after some calls: old ones reach a server whatever lies at the path.
func callOnAndOn(path, client string, pause time.Duration) {
	calls, callers := kept(path), 4
	if client == "Dial" {
		calls, callers = dialed(path), 1
	}
	var number atomic.Int64
	lines := make(chan callReport)
	over, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	var group sync.WaitGroup
	for range callers {
		group.Go(func() {
			for {
				select {
				case <-over.Done():
					return
				case <-time.After(pause):
				}
				if failed := callOnce(calls, client, int(number.Add(1))); failed != nil {
					lines <- *failed
				}
			}
		})
	}
	go func() {
		group.Wait()
		close(lines)
	}()
	out := json.NewEncoder(os.Stdout)
	for line := range lines {
		_ = out.Encode(line)
	}
	_ = out.Encode(callReport{Client: client, Calls: int(number.Load())})
}

// With what is to be done after the call.
type connections func() (*calledConn, func())

func dialed(path string) connections {
	return func() (*calledConn, func()) {
		connection := connect(path)
		return connection, func() { _ = connection.Close() }
	}
}

func kept(path string) connections {
	var lock sync.Mutex
	var current *calledConn
	given := 0
	return func() (*calledConn, func()) {
		lock.Lock()
		defer lock.Unlock()
		if given%callsOfConnection == 0 {
			if old := current; old != nil {
				time.AfterFunc(2*callLimit, func() { _ = old.Close() })
			}
			current = connect(path)
		}
		given++
		return current, func() {}
	}
}

const callsOfConnection, callLimit = 200, 20 * time.Second

func callOnce(calls connections, client string, number int) *callReport {
	begun := time.Now()
	connection, after := calls()
	defer after()
	ctx, cancel := context.WithTimeout(context.Background(), callLimit)
	defer cancel()
	message, answer := []byte("a call"), []byte{}
	err := connection.Invoke(ctx, "/rounds."+client+"/C"+strconv.Itoa(number), &message, &answer)
	if err == nil && string(answer) != string(message) {
		err = fmt.Errorf("the answer is another one")
	}
	if err == nil {
		return nil
	}
	return &callReport{
		Client: client, Number: number, Begun: begun.UnixMicro(), Ended: time.Now().UnixMicro(),
		Code: status.Code(err).String(), Message: status.Convert(err).Message(),
		Dialed: connection.failed.Load(),
	}
}

// Connecting again is no retry of a call, and its pause must be short: in it every call fails.
func connect(path string) *calledConn {
	called := &calledConn{}
	pause := backoff.Config{BaseDelay: 2 * time.Millisecond, Multiplier: 1, MaxDelay: 2 * time.Millisecond}
	client, err := grpc.NewClient("unix://"+path,
		grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) {
			begun := time.Now().UnixMicro()
			connection, err := (&net.Dialer{}).DialContext(ctx, "unix", path)
			if err != nil {
				called.failed.Store(&attempt{begun, time.Now().UnixMicro()})
				return nil, err
			}
			return connection, nil
		}),
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithDisableRetry(),
		grpc.WithConnectParams(grpc.ConnectParams{Backoff: pause, MinConnectTimeout: 5 * time.Second}),
		grpc.WithDefaultCallOptions(grpc.ForceCodec(raw{})))
	if err != nil {
		fail(err)
	}
	called.ClientConn = client
	return called
}
