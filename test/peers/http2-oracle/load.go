package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"strconv"
	"sync"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"
)

// Without a policy of retries: what it sends again is what gRPC sends again by itself.
func load(path string, count string) {
	callers, err := strconv.Atoi(count)
	if err != nil {
		fail(err)
	}
	client, err := grpc.NewClient("passthrough:///"+path,
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, "unix", path)
		}),
		grpc.WithDefaultCallOptions(grpc.ForceCodec(raw{}), grpc.MaxCallRecvMsgSize(most)))
	if err != nil {
		fail(err)
	}
	over := make(chan struct{})
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		close(over)
	}()
	var lock sync.Mutex
	ok, errors := 0, map[string]int{}
	var group sync.WaitGroup
	for range callers {
		group.Go(func() {
			for {
				select {
				case <-over:
					return
				default:
				}
				asked, answer := make([]byte, rand.IntN(50_000)), []byte{}
				err := client.Invoke(context.Background(), "/test.Suite/Any", &asked, &answer)
				lock.Lock()
				if err == nil && len(answer) == len(asked) {
					ok++
				} else {
					errors[fmt.Sprintf("%s: %s (%d of %d bytes)", status.Code(err), status.Convert(err).Message(), len(answer), len(asked))]++
				}
				lock.Unlock()
			}
		})
	}
	group.Wait()
	_ = json.NewEncoder(os.Stdout).Encode(map[string]any{"ok": ok, "errors": errors})
}
