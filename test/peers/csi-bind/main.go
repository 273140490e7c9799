// csi-bind is a small CSI driver that does what csi-driver-host-path 1.11 does with the
// same calls, by bind mounts and loop devices, and the part of node-driver-registrar that
// a kubelet sees. The wire and the mounting are the usual libraries'; see docs/peers.md.
package main

import (
	"cmp"
	"context"
	"flag"
	"log"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc"
	"google.golang.org/grpc/status"
	registration "k8s.io/kubelet/pkg/apis/pluginregistration/v1"
	"k8s.io/mount-utils"
)

type driver struct {
	csi.UnimplementedIdentityServer
	csi.UnimplementedControllerServer
	csi.UnimplementedNodeServer
	name, node string
	stageMount bool
	mounter    mount.Interface
	volumes    *store
}

// registrar answers a kubelet as node-driver-registrar 2.7 does.
type registrar struct {
	registration.UnimplementedRegistrationServer
	name, endpoint string
}

func serveRegistration(l net.Listener, name, endpoint string) {
	s := grpc.NewServer()
	registration.RegisterRegistrationServer(s, registrar{name: name, endpoint: endpoint})
	log.Fatal(s.Serve(l))
}

func (r registrar) GetInfo(context.Context, *registration.InfoRequest) (*registration.PluginInfo, error) {
	return &registration.PluginInfo{
		Type: registration.CSIPlugin, Name: r.name, Endpoint: r.endpoint, SupportedVersions: []string{"1.0.0"},
	}, nil
}

// The empty file beside the driver's socket is what the registrar's liveness probe looks for.
func (r registrar) NotifyRegistrationStatus(_ context.Context, s *registration.RegistrationStatus) (*registration.RegistrationStatusResponse, error) {
	if !s.PluginRegistered {
		log.Fatalf("the kubelet refuses: %s", s.Error)
	}
	return &registration.RegistrationStatusResponse{}, os.WriteFile(filepath.Join(filepath.Dir(r.endpoint), "registration"), nil, 0o644)
}

// logCall says what hostpath says of each call, once it is over.
func logCall(ctx context.Context, req any, info *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (any, error) {
	reply, err := handler(ctx, req)
	log.Printf("csi-bind: GRPC call: %s %s", info.FullMethod, status.Code(err))
	return reply, err
}

func listen(path string, umask int) net.Listener {
	os.Remove(path)
	old := syscall.Umask(umask)
	defer syscall.Umask(old)
	l, err := net.Listen("unix", path)
	if err != nil {
		log.Fatal(err)
	}
	l.(*net.UnixListener).SetUnlinkOnClose(false)
	return l
}

func main() {
	endpoint := flag.String("endpoint", "", "path of the CSI socket (required)")
	state := flag.String("state", "", "folder of the volumes and of what is known of them (required)")
	name := flag.String("drivername", "bind.csi.kubelimbo.test", "name of the driver")
	node := flag.String("nodeid", "n1", "ID of the node")
	stageMount := flag.Bool("stage-mount", false, "bind-mount a filesystem volume on its staging path")
	register := flag.String("registration", "", "path of the registration socket (none: not served)")
	endpointSaid := flag.String("kubelet-registration-path", "", "path of the CSI socket as the kubelet has it (default: -endpoint)")
	flag.Parse()
	if *endpoint == "" || *state == "" {
		log.Fatal("csi-bind: -endpoint and -state are required")
	}
	d := &driver{name: *name, node: *node, stageMount: *stageMount, mounter: mount.New(""), volumes: openStore(*state)}
	s := grpc.NewServer(grpc.UnaryInterceptor(logCall))
	csi.RegisterIdentityServer(s, d)
	csi.RegisterControllerServer(s, d)
	csi.RegisterNodeServer(s, d)
	go s.Serve(listen(*endpoint, 0o022))
	if *register != "" {
		go serveRegistration(listen(*register, 0o077), *name, cmp.Or(*endpointSaid, *endpoint))
	}
	log.Print("csi-bind: ready")

	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGINT, syscall.SIGTERM)
	<-stop
	s.Stop()
	os.Remove(*endpoint)
	os.Remove(*register)
}
