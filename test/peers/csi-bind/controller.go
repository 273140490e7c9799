package main

import (
	"context"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

const defaultBytes = 1 << 20

func (d *driver) GetPluginInfo(context.Context, *csi.GetPluginInfoRequest) (*csi.GetPluginInfoResponse, error) {
	return &csi.GetPluginInfoResponse{Name: d.name, VendorVersion: "1.11.0"}, nil
}

func (d *driver) Probe(context.Context, *csi.ProbeRequest) (*csi.ProbeResponse, error) {
	return &csi.ProbeResponse{}, nil
}

func (d *driver) GetPluginCapabilities(context.Context, *csi.GetPluginCapabilitiesRequest) (*csi.GetPluginCapabilitiesResponse, error) {
	return &csi.GetPluginCapabilitiesResponse{Capabilities: []*csi.PluginCapability{{Type: &csi.PluginCapability_Service_{
		Service: &csi.PluginCapability_Service{Type: csi.PluginCapability_Service_CONTROLLER_SERVICE},
	}}}}, nil
}

// Of the controller's calls only those that make a volume, whose name is its ID, and remove it: no one attaches anything.
func (d *driver) ControllerGetCapabilities(context.Context, *csi.ControllerGetCapabilitiesRequest) (*csi.ControllerGetCapabilitiesResponse, error) {
	return &csi.ControllerGetCapabilitiesResponse{Capabilities: []*csi.ControllerServiceCapability{{Type: &csi.ControllerServiceCapability_Rpc{
		Rpc: &csi.ControllerServiceCapability_RPC{Type: csi.ControllerServiceCapability_RPC_CREATE_DELETE_VOLUME},
	}}}}, nil
}

func (d *driver) CreateVolume(_ context.Context, req *csi.CreateVolumeRequest) (*csi.CreateVolumeResponse, error) {
	if req.GetName() == "" || len(req.GetVolumeCapabilities()) == 0 {
		return nil, status.Error(codes.InvalidArgument, "a name and capabilities are required")
	}
	d.volumes.Lock()
	defer d.volumes.Unlock()
	v := d.volumes.volumes[req.GetName()]
	if v == nil {
		bytes := max(req.GetCapacityRange().GetRequiredBytes(), defaultBytes)
		v = &volume{ID: req.GetName(), Bytes: bytes, Block: req.GetVolumeCapabilities()[0].GetBlock() != nil}
		if err := d.volumes.create(v); err != nil {
			return nil, err
		}
	}
	return &csi.CreateVolumeResponse{Volume: &csi.Volume{VolumeId: v.ID, CapacityBytes: v.Bytes}}, nil
}

func (d *driver) DeleteVolume(_ context.Context, req *csi.DeleteVolumeRequest) (*csi.DeleteVolumeResponse, error) {
	d.volumes.Lock()
	defer d.volumes.Unlock()
	v := d.volumes.volumes[req.GetVolumeId()]
	if v == nil {
		return &csi.DeleteVolumeResponse{}, nil
	}
	if v.Staged != "" || len(v.Published) > 0 {
		return nil, status.Errorf(codes.Internal, "volume %q is still used by a node", v.ID)
	}
	return &csi.DeleteVolumeResponse{}, d.volumes.remove(v)
}
