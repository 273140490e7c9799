// grpc-proxy: github.com/mwitkow/grpc-proxy between two unix sockets, to measure kubelimbo's own proxy against.
//
//	grpc-proxy SOCKET UPSTREAM
package main

import (
	"fmt"
	"net"
	"os"

	"github.com/mwitkow/grpc-proxy/proxy"
	"golang.org/x/net/context"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
)

func main() {
	codec := proxy.Codec()
	upstream, err := grpc.NewClient("unix://"+os.Args[2], grpc.WithTransportCredentials(insecure.NewCredentials()), grpc.WithCodec(codec))
	if err != nil {
		fail(err)
	}
	director := func(ctx context.Context, _ string) (context.Context, *grpc.ClientConn, error) {
		asked, _ := metadata.FromIncomingContext(ctx)
		return metadata.NewOutgoingContext(ctx, asked.Copy()), upstream, nil
	}
	listener, err := net.Listen("unix", os.Args[1])
	if err != nil {
		fail(err)
	}
	fmt.Println("listening")
	server := grpc.NewServer(grpc.CustomCodec(codec), grpc.UnknownServiceHandler(proxy.TransparentHandler(director)))
	fail(server.Serve(listener))
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
