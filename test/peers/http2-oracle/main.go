// http2-oracle: Go's HTTP/2 (golang.org/x/net/http2) and gRPC (google.golang.org/grpc), to hold kubelimbo's own HTTP/2 against.
//
//	http2-oracle serve SOCKET        HTTP/2: sends back fields x-…, the body and trailers x-…
//	http2-oracle serve-grpc SOCKET   gRPC: sends back each message of any method, x-times as long
//	http2-oracle serve-test SOCKET   gRPC: the methods of test.go, for suites of clients; SIGTERM is a graceful stop
//	http2-oracle serve-page ADDRESS  HTTP/2 without TLS: a short page, for h2spec
//	http2-oracle request SOCKET      HTTP/2: asks what stdin says, a line of JSON for each, all at once; prints the answers
//	http2-oracle call SOCKET         gRPC: the same
//	http2-oracle load SOCKET N       gRPC: N callers, one call after the other, until stdin ends; prints how many went well and what errors the others had
//	http2-oracle huffman             prints each octet in HPACK's Huffman code
//
// SOCKET may be tcp:HOST:PORT in the servers' commands. They print 'listening' and the address.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/encoding"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
)

func main() {
	if len(os.Args) < 2 {
		fail(fmt.Errorf("no command"))
	}
	if os.Args[1] == "huffman" {
		huffman()
		return
	}
	path := os.Args[2]
	switch os.Args[1] {
	case "serve":
		serve(path)
	case "serve-grpc":
		serveGrpc(path)
	case "serve-test":
		serveTest(path)
	case "serve-page":
		servePage(path)
	case "request":
		request(path)
	case "call":
		call(path)
	case "load":
		load(path, os.Args[3])
	default:
		fail(fmt.Errorf("no such command: %s", os.Args[1]))
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

func huffman() {
	for octet := 0; octet < 256; octet++ {
		fmt.Println(hex.EncodeToString(hpack.AppendHuffmanString(nil, string([]byte{byte(octet)}))))
	}
}

func listen(path string) net.Listener {
	network, address := "unix", path
	if rest, found := strings.CutPrefix(path, "tcp:"); found {
		network, address = "tcp", rest
	}
	listener, err := net.Listen(network, address)
	if err != nil {
		fail(err)
	}
	fmt.Println("listening", listener.Addr())
	return listener
}

// What is asked and what came of it. Bodies are base64.
type exchange struct {
	// Of HTTP/2: milliseconds until it is given up; of gRPC: the deadline. 0: none.
	TimeoutMs int               `json:"timeoutMs,omitempty"`
	Path      string            `json:"path,omitempty"`
	Fields    map[string]string `json:"fields"`
	// One piece a write, and for gRPC one a message.
	Body     []string          `json:"body"`
	Trailers map[string]string `json:"trailers"`
	// Of gRPC.
	Code    string `json:"code,omitempty"`
	Message string `json:"message,omitempty"`
	Error   string `json:"error,omitempty"`
	Ms      int    `json:"ms,omitempty"`
	// Of gRPC: the largest message that it takes, in bytes; 0: as the client has it.
	Most int `json:"most,omitempty"`
	// Of gRPC: of its answer, how long it is.
	Brief bool `json:"brief,omitempty"`
	Bytes int  `json:"bytes,omitempty"`
}

// All lines at once; answers in their order.
func all(ask func(exchange) exchange) {
	var asked []exchange
	in := bufio.NewReader(os.Stdin)
	decoder := json.NewDecoder(in)
	for {
		var one exchange
		if err := decoder.Decode(&one); err == io.EOF {
			break
		} else if err != nil {
			fail(err)
		}
		asked = append(asked, one)
	}
	answers := make([]exchange, len(asked))
	var group sync.WaitGroup
	for at := range asked {
		group.Go(func() { answers[at] = ask(asked[at]) })
	}
	group.Wait()
	out := json.NewEncoder(os.Stdout)
	for _, answer := range answers {
		_ = out.Encode(answer)
	}
}

func pieces(body []string) [][]byte {
	var out [][]byte
	for _, piece := range body {
		raw, err := base64.StdEncoding.DecodeString(piece)
		if err != nil {
			fail(err)
		}
		out = append(out, raw)
	}
	return out
}

func ours(header http.Header) map[string]string {
	out := map[string]string{}
	for name, values := range header {
		if lower := strings.ToLower(name); strings.HasPrefix(lower, "x-") {
			out[lower] = strings.Join(values, ",")
		}
	}
	return out
}

func serve(path string) {
	listener := listen(path)
	server := &http2.Server{MaxConcurrentStreams: 50}
	for {
		connection, err := listener.Accept()
		if err != nil {
			fail(err)
		}
		go server.ServeConn(connection, &http2.ServeConnOpts{Handler: http.HandlerFunc(echo)})
	}
}

func echo(writer http.ResponseWriter, request *http.Request) {
	if request.URL.Path == "/panic" {
		panic(http.ErrAbortHandler)
	}
	for name, value := range ours(request.Header) {
		writer.Header().Set(name, value)
	}
	writer.WriteHeader(200)
	buffer := make([]byte, 32*1024)
	for {
		size, err := request.Body.Read(buffer)
		if size > 0 {
			_, _ = writer.Write(buffer[:size])
			writer.(http.Flusher).Flush()
		}
		if err != nil {
			break
		}
	}
	for name, value := range ours(request.Trailer) {
		writer.Header().Set(http.TrailerPrefix+name, value)
	}
}

func request(path string) {
	transport := &http2.Transport{AllowHTTP: true, StrictMaxConcurrentStreams: true}
	connection, err := net.Dial("unix", path)
	if err != nil {
		fail(err)
	}
	client, err := transport.NewClientConn(connection)
	if err != nil {
		fail(err)
	}
	// Its SETTINGS are before the answer: how many streams it takes.
	if err := client.Ping(context.Background()); err != nil {
		fail(err)
	}
	all(func(one exchange) exchange {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		if one.TimeoutMs > 0 {
			ctx, cancel = context.WithTimeout(ctx, time.Duration(one.TimeoutMs)*time.Millisecond)
			defer cancel()
		}
		reader, writer := io.Pipe()
		go func() {
			for _, piece := range pieces(one.Body) {
				_, _ = writer.Write(piece)
			}
			writer.Close()
		}()
		asked, err := http.NewRequestWithContext(ctx, "POST", "http://localhost"+one.Path, reader)
		if err != nil {
			return exchange{Error: err.Error()}
		}
		for name, value := range one.Fields {
			asked.Header.Set(name, value)
		}
		asked.Trailer = http.Header{}
		for name, value := range one.Trailers {
			asked.Trailer.Set(name, value)
		}
		answer, err := client.RoundTrip(asked)
		if err != nil {
			return exchange{Error: err.Error()}
		}
		body, err := io.ReadAll(answer.Body)
		if err != nil {
			return exchange{Error: err.Error()}
		}
		return exchange{Fields: ours(answer.Header), Body: []string{base64.StdEncoding.EncodeToString(body)}, Trailers: ours(answer.Trailer)}
	})
}

// Messages as they are on the wire, under the usual content type.
type raw struct{}

func (raw) Marshal(message any) ([]byte, error) { return *message.(*[]byte), nil }
func (raw) Unmarshal(data []byte, message any) error {
	*message.(*[]byte) = bytes.Clone(data)
	return nil
}
func (raw) Name() string { return "proto" }

var _ encoding.Codec = raw{}

const most = 64 << 20

func serveGrpc(path string) {
	listener := listen(path)
	handler := func(_ any, stream grpc.ServerStream) error {
		asked, _ := metadata.FromIncomingContext(stream.Context())
		back := metadata.MD{}
		for name, values := range asked {
			if strings.HasPrefix(name, "x-") {
				back[name] = values
			}
		}
		_ = stream.SetHeader(back)
		for {
			var message []byte
			if err := stream.RecvMsg(&message); err == io.EOF {
				return nil
			} else if err != nil {
				return err
			}
			if times := number(asked, "x-times"); times > 0 {
				message = bytes.Repeat(message, times)
			}
			if err := stream.SendMsg(&message); err != nil {
				return err
			}
		}
	}
	server := grpc.NewServer(grpc.UnknownServiceHandler(handler), grpc.ForceServerCodec(raw{}), grpc.MaxRecvMsgSize(most), grpc.MaxSendMsgSize(most))
	fail(server.Serve(listener))
}

func call(path string) {
	// As kubelets up to 1.29 dial: the authority is the path of the socket.
	client, err := grpc.NewClient("passthrough:///"+path,
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithAuthority(path),
		grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, "unix", path)
		}),
		grpc.WithDefaultCallOptions(grpc.ForceCodec(raw{}), grpc.MaxCallRecvMsgSize(most), grpc.MaxCallSendMsgSize(most)))
	if err != nil {
		fail(err)
	}
	all(func(one exchange) exchange {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		if one.TimeoutMs > 0 {
			ctx, cancel = context.WithTimeout(ctx, time.Duration(one.TimeoutMs)*time.Millisecond)
			defer cancel()
		}
		for name, value := range one.Fields {
			ctx = metadata.AppendToOutgoingContext(ctx, name, value)
		}
		answer := exchange{Fields: map[string]string{}, Trailers: map[string]string{}}
		started := time.Now()
		end := func(err error) exchange {
			answer.Ms = int(time.Since(started).Milliseconds())
			answer.Code, answer.Message = status.Code(err).String(), status.Convert(err).Message()
			return answer
		}
		var options []grpc.CallOption
		if one.Most > 0 {
			options = append(options, grpc.MaxCallRecvMsgSize(one.Most))
		}
		stream, err := client.NewStream(ctx, &grpc.StreamDesc{ClientStreams: true, ServerStreams: true}, one.Path, options...)
		if err != nil {
			return end(err)
		}
		for _, piece := range pieces(one.Body) {
			if err := stream.SendMsg(&piece); err != nil {
				break
			}
		}
		_ = stream.CloseSend()
		for {
			var message []byte
			err := stream.RecvMsg(&message)
			if header, headerErr := stream.Header(); headerErr == nil {
				answer.Fields = ours(http.Header(header))
			}
			if err != nil {
				answer.Trailers = ours(http.Header(stream.Trailer()))
				if err == io.EOF {
					err = nil
				}
				return end(err)
			}
			answer.Bytes += len(message)
			if one.Brief {
				continue
			}
			answer.Body = append(answer.Body, base64.StdEncoding.EncodeToString(message))
		}
	})
}
