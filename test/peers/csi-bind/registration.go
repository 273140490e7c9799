package main

import (
	"context"
	"log"
	"net"
	"os"
	"path/filepath"

	"google.golang.org/grpc"
	registration "k8s.io/kubelet/pkg/apis/pluginregistration/v1"
)

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
