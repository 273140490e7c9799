package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	_ "google.golang.org/grpc/encoding/gzip"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/stats"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/wrapperspb"
)

// One method of service test.Suite. What a method needs beyond them is in the metadata, as x-…
type method func(grpc.ServerStream, metadata.MD) error

var methods = map[string]method{
	"Unary":  echoMessages,
	"Bidi":   echoMessages,
	"Repeat": repeat,
	"Length": length,
	"Make":   makeMessage,
	"Fail":   failAtOnce,
	"Break":  failLater,
	"Hang":   hang,
	"Gate":   gate,
	"Seen":   seen,
}

// Sends back each message; metadata x-… comes back as header, and as trailer with -end.
func echoMessages(stream grpc.ServerStream, asked metadata.MD) error {
	header, trailer := metadata.MD{}, metadata.MD{}
	for name, values := range asked {
		if strings.HasPrefix(name, "x-") {
			header[name], trailer[strings.TrimSuffix(name, "-bin")+"-end"+binary(name)] = values, values
		}
	}
	_ = stream.SetHeader(header)
	stream.SetTrailer(trailer)
	for {
		message, err := receive(stream)
		if err != nil {
			return atEnd(err)
		}
		if err := stream.SendMsg(&message); err != nil {
			return err
		}
	}
}

func binary(name string) string {
	if strings.HasSuffix(name, "-bin") {
		return "-bin"
	}
	return ""
}

// Its message, x-count times.
func repeat(stream grpc.ServerStream, asked metadata.MD) error {
	message, err := receive(stream)
	for at := 0; err == nil && at < number(asked, "x-count"); at++ {
		err = stream.SendMsg(&message)
	}
	return err
}

// How many bytes came in all its messages.
func length(stream grpc.ServerStream, _ metadata.MD) error {
	sum := 0
	for {
		message, err := receive(stream)
		if err == io.EOF {
			return answer(stream, []byte(strconv.Itoa(sum)))
		} else if err != nil {
			return err
		}
		sum += len(message)
	}
}

// A message with x-size bytes in it.
func makeMessage(stream grpc.ServerStream, asked metadata.MD) error {
	if _, err := receive(stream); err != nil {
		return err
	}
	size := number(asked, "x-size")
	return answer(stream, bytes.Repeat([]byte("kubelimbo "), size/10+1)[:size])
}

// Requests and answers are google.protobuf.BytesValue, so that clients with generated code can be served; what is sent back is not looked into.
func answer(stream grpc.ServerStream, content []byte) error {
	message, err := proto.Marshal(wrapperspb.Bytes(content))
	if err != nil {
		return err
	}
	return stream.SendMsg(&message)
}

// Before anything was sent, so that it is a reply of trailers only.
func failAtOnce(_ grpc.ServerStream, asked metadata.MD) error {
	failure := status.New(codes.Code(number(asked, "x-code")), strings.Join(asked["x-message"], ""))
	if len(asked["x-reason"]) > 0 {
		failure, _ = failure.WithDetails(&errdetails.ErrorInfo{Reason: asked["x-reason"][0], Domain: "kubelimbo.test"})
	}
	return failure.Err()
}

func failLater(stream grpc.ServerStream, asked metadata.MD) error {
	message, err := receive(stream)
	if err != nil {
		return err
	}
	if err := stream.SendMsg(&message); err != nil {
		return err
	}
	return failAtOnce(stream, asked)
}

var (
	lock    sync.Mutex
	noted   = map[string]string{}
	waiting = map[string]int{}
	opened  = map[string]chan struct{}{}
)

// Never answers; what ends it is noted under x-name.
func hang(stream grpc.ServerStream, asked metadata.MD) error {
	limit := "no deadline"
	if deadline, found := stream.Context().Deadline(); found {
		limit = fmt.Sprintf("within %d s", 1+int(time.Until(deadline).Seconds()))
	}
	note(asked, "running, "+limit)
	<-stream.Context().Done()
	note(asked, limit+", "+context.Cause(stream.Context()).Error())
	return stream.Context().Err()
}

func note(asked metadata.MD, text string) {
	lock.Lock()
	defer lock.Unlock()
	noted[strings.Join(asked["x-name"], "")] = text
}

func seen(stream grpc.ServerStream, asked metadata.MD) error {
	if _, err := receive(stream); err != nil {
		return err
	}
	lock.Lock()
	text := noted[strings.Join(asked["x-name"], "")]
	lock.Unlock()
	return answer(stream, []byte(text))
}

// Answers when x-count calls of x-name are here.
func gate(stream grpc.ServerStream, asked metadata.MD) error {
	message, err := receive(stream)
	if err != nil {
		return err
	}
	name := strings.Join(asked["x-name"], "")
	lock.Lock()
	if opened[name] == nil {
		opened[name] = make(chan struct{})
	}
	open := opened[name]
	if waiting[name]++; waiting[name] == number(asked, "x-count") {
		close(open)
	}
	lock.Unlock()
	select {
	case <-open:
		return stream.SendMsg(&message)
	case <-stream.Context().Done():
		return stream.Context().Err()
	}
}

func receive(stream grpc.ServerStream) ([]byte, error) {
	var message []byte
	err := stream.RecvMsg(&message)
	return message, err
}

func atEnd(err error) error {
	if err == io.EOF {
		return nil
	}
	return err
}

func number(asked metadata.MD, name string) int {
	value, _ := strconv.Atoi(strings.Join(asked[name], ""))
	return value
}

// Says in a trailer that the request's messages were smaller on the wire than they are.
type wireLength struct{}
type wireLengthKey struct{}

func (wireLength) TagRPC(ctx context.Context, _ *stats.RPCTagInfo) context.Context {
	return context.WithValue(ctx, wireLengthKey{}, new(bool))
}
func (wireLength) HandleRPC(ctx context.Context, event stats.RPCStats) {
	if payload, isPayload := event.(*stats.InPayload); isPayload && payload.CompressedLength < payload.Length {
		*ctx.Value(wireLengthKey{}).(*bool) = true
	}
}
func (wireLength) TagConn(ctx context.Context, _ *stats.ConnTagInfo) context.Context { return ctx }
func (wireLength) HandleConn(context.Context, stats.ConnStats)                       {}

func serveTest(path string) {
	handler := func(_ any, stream grpc.ServerStream) error {
		full, _ := grpc.MethodFromServerStream(stream)
		asked, _ := metadata.FromIncomingContext(stream.Context())
		run, found := methods[strings.TrimPrefix(full, "/test.Suite/")]
		if !found {
			return status.Errorf(codes.Unimplemented, "unknown method %s", full)
		}
		err := run(stream, asked)
		if *stream.Context().Value(wireLengthKey{}).(*bool) {
			stream.SetTrailer(metadata.Pairs("x-compressed", "yes"))
		}
		return err
	}
	server := grpc.NewServer(
		grpc.UnknownServiceHandler(handler), grpc.ForceServerCodec(raw{}), grpc.StatsHandler(wireLength{}),
		grpc.MaxRecvMsgSize(most), grpc.MaxSendMsgSize(most),
		grpc.KeepaliveParams(keepalive.ServerParameters{Time: time.Second, Timeout: 2 * time.Second}),
		grpc.KeepaliveEnforcementPolicy(keepalive.EnforcementPolicy{MinTime: 50 * time.Millisecond, PermitWithoutStream: true}))
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGTERM)
	stopped := make(chan struct{})
	go func() {
		<-stop
		server.GracefulStop()
		close(stopped)
	}()
	if err := server.Serve(listen(path)); err != nil {
		fail(err)
	}
	<-stopped
}
