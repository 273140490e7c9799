package main

import (
	"io"
	"net/http"

	"golang.org/x/net/http2"
)

// What h2spec asks of a server: it reads what it is sent, and its body can be held up by a window.
func servePage(address string) {
	listener := listen(address)
	server := &http2.Server{}
	handler := http.HandlerFunc(func(writer http.ResponseWriter, request *http.Request) {
		_, _ = io.Copy(io.Discard, request.Body)
		_, _ = io.WriteString(writer, "a short page\n")
	})
	for {
		connection, err := listener.Accept()
		if err != nil {
			fail(err)
		}
		go server.ServeConn(connection, &http2.ServeConnOpts{Handler: handler})
	}
}
