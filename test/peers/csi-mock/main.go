// csi-mock serves the mock CSI driver of Kubernetes' own end-to-end tests on a unix
// socket, and, with -registration, kubelet's plugin registration service on a second
// socket, as a CSI driver pod with its registrar sidecar does. The CSI answers come from
// k8s.io/kubernetes/test/e2e/storage/drivers/csi-test/mock; only what joins the parts is here.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"log"
	"net"
	"os"
	"os/signal"
	"syscall"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc"
	registration "k8s.io/kubelet/pkg/apis/pluginregistration/v1"
	"k8s.io/kubernetes/test/e2e/storage/drivers/csi-test/mock/service"
)

type registrar struct {
	registration.UnimplementedRegistrationServer
	name, endpoint string
}

func (r registrar) GetInfo(context.Context, *registration.InfoRequest) (*registration.PluginInfo, error) {
	return &registration.PluginInfo{
		Type: registration.CSIPlugin, Name: r.name, Endpoint: r.endpoint, SupportedVersions: []string{"1.0.0"},
	}, nil
}

func (r registrar) NotifyRegistrationStatus(_ context.Context, s *registration.RegistrationStatus) (*registration.RegistrationStatusResponse, error) {
	log.Printf("kubelet says: registered %v, error %q", s.PluginRegistered, s.Error)
	return &registration.RegistrationStatusResponse{}, nil
}

// logCall writes each call to stderr, as one line of JSON after the time.
func logCall(ctx context.Context, req any, info *grpc.UnaryServerInfo, next grpc.UnaryHandler) (any, error) {
	reply, err := next(ctx, req)
	entry := map[string]any{"method": info.FullMethod, "request": req, "reply": reply}
	if err != nil {
		entry["error"] = err.Error()
	}
	line, _ := json.Marshal(entry)
	log.Print(string(line))
	return reply, err
}

func listen(path string) net.Listener {
	os.Remove(path)
	l, err := net.Listen("unix", path)
	if err != nil {
		log.Fatal(err)
	}
	return l
}

func main() {
	endpoint := flag.String("endpoint", "", "path of the CSI socket (required)")
	name := flag.String("drivername", service.Name, "name of the driver, and ID of the node")
	register := flag.String("registration", "", "path of the registration socket (none: not served)")
	limit := flag.Int64("attach-limit", 0, "most volumes on a node (0: no limit)")
	topology := flag.Bool("topology", false, "answer with a topology segment")
	flag.Parse()
	if *endpoint == "" {
		log.Fatal("csi-mock: -endpoint is required")
	}

	s := service.New(service.Config{DriverName: *name, DisableAttach: true, AttachLimit: *limit, EnableTopology: *topology})
	d := grpc.NewServer(grpc.UnaryInterceptor(logCall))
	csi.RegisterIdentityServer(d, s)
	csi.RegisterControllerServer(d, s)
	csi.RegisterNodeServer(d, s)
	go d.Serve(listen(*endpoint))
	if *register != "" {
		g := grpc.NewServer()
		registration.RegisterRegistrationServer(g, registrar{name: *name, endpoint: *endpoint})
		go g.Serve(listen(*register))
	}
	log.Print("csi-mock: ready")

	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGINT, syscall.SIGTERM)
	<-stop
	d.Stop()
	os.Remove(*endpoint)
	if *register != "" {
		os.Remove(*register)
	}
}
