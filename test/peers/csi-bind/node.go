package main

import (
	"context"
	"errors"
	"os"
	"slices"
	"syscall"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

func (d *driver) NodeGetInfo(context.Context, *csi.NodeGetInfoRequest) (*csi.NodeGetInfoResponse, error) {
	return &csi.NodeGetInfoResponse{NodeId: d.node}, nil
}

func (d *driver) NodeGetCapabilities(context.Context, *csi.NodeGetCapabilitiesRequest) (*csi.NodeGetCapabilitiesResponse, error) {
	reply := &csi.NodeGetCapabilitiesResponse{}
	for _, name := range []string{"STAGE_UNSTAGE_VOLUME", "GET_VOLUME_STATS"} {
		kind := csi.NodeServiceCapability_RPC_Type(csi.NodeServiceCapability_RPC_Type_value[name])
		rpc := &csi.NodeServiceCapability_Rpc{Rpc: &csi.NodeServiceCapability_RPC{Type: kind}}
		reply.Capabilities = append(reply.Capabilities, &csi.NodeServiceCapability{Type: rpc})
	}
	return reply, nil
}

// onVolume does the work of a call while no other call works.
func (d *driver) onVolume(id, path string, work func(v *volume) error) error {
	if id == "" || path == "" {
		return status.Error(codes.InvalidArgument, "a volume ID and a path are required")
	}
	d.volumes.Lock()
	defer d.volumes.Unlock()
	v := d.volumes.volumes[id]
	if v == nil {
		return status.Errorf(codes.NotFound, "volume id %s does not exist in the volumes list", id)
	}
	err := work(v)
	if _, said := status.FromError(err); err != nil && !said {
		return status.Error(codes.Internal, err.Error())
	}
	return err
}

func (d *driver) NodeStageVolume(_ context.Context, req *csi.NodeStageVolumeRequest) (*csi.NodeStageVolumeResponse, error) {
	path := req.GetStagingTargetPath()
	if req.GetVolumeCapability() == nil {
		return nil, status.Error(codes.InvalidArgument, "volume capability missing in request")
	}
	return &csi.NodeStageVolumeResponse{}, d.onVolume(req.GetVolumeId(), path, func(v *volume) error {
		if v.Staged == path {
			return nil
		}
		if v.Staged != "" {
			return status.Errorf(codes.FailedPrecondition, "volume %q is already staged at %q", v.ID, v.Staged)
		}
		if d.stageMount && !v.Block {
			if err := d.bind(d.volumes.path(v), path); err != nil {
				return err
			}
		}
		v.Staged = path
		return d.volumes.save()
	})
}

func (d *driver) NodeUnstageVolume(_ context.Context, req *csi.NodeUnstageVolumeRequest) (*csi.NodeUnstageVolumeResponse, error) {
	path := req.GetStagingTargetPath()
	return &csi.NodeUnstageVolumeResponse{}, d.onVolume(req.GetVolumeId(), path, func(v *volume) error {
		if v.Staged != path {
			return nil
		}
		if len(v.Published) > 0 {
			return status.Errorf(codes.Internal, "volume %q is still published at %q on node %q", v.ID, v.Published, d.node)
		}
		if err := d.unbind(path); err != nil {
			return err
		}
		v.Staged = ""
		return d.volumes.save()
	})
}

func (d *driver) NodePublishVolume(_ context.Context, req *csi.NodePublishVolumeRequest) (*csi.NodePublishVolumeResponse, error) {
	if req.GetVolumeCapability() == nil {
		return nil, status.Error(codes.InvalidArgument, "volume capability missing in request")
	}
	target, block := req.GetTargetPath(), req.GetVolumeCapability().GetBlock() != nil
	if req.GetVolumeContext()["csi.storage.k8s.io/ephemeral"] == "true" && target != "" {
		if err := d.createEphemeral(req.GetVolumeId()); err != nil {
			return nil, err
		}
	}
	return &csi.NodePublishVolumeResponse{}, d.onVolume(req.GetVolumeId(), target, func(v *volume) error {
		if !v.Ephemeral && v.Staged == "" {
			return status.Error(codes.FailedPrecondition, "volume must be staged before publishing")
		}
		if !v.Ephemeral && v.Staged != req.GetStagingTargetPath() {
			return status.Errorf(codes.InvalidArgument, "volume staged at %q does not match %q", v.Staged, req.GetStagingTargetPath())
		}
		if v.Block != block {
			return status.Error(codes.InvalidArgument, "the access type does not match the volume's")
		}
		if err := d.publish(v, target); err != nil {
			return err
		}
		if !slices.Contains(v.Published, target) {
			v.Published = append(v.Published, target)
		}
		return d.volumes.save()
	})
}

func (d *driver) createEphemeral(id string) error {
	d.volumes.Lock()
	defer d.volumes.Unlock()
	if id == "" || d.volumes.volumes[id] != nil {
		return nil
	}
	return d.volumes.create(&volume{ID: id, Bytes: defaultBytes, Ephemeral: true})
}

func (d *driver) publish(v *volume, target string) error {
	if !v.Block {
		if err := os.MkdirAll(target, 0o750); err != nil {
			return err
		}
		return d.bind(d.volumes.path(v), target)
	}
	device, err := attachLoop(d.volumes.path(v))
	if err != nil {
		return err
	}
	f, err := os.OpenFile(target, os.O_CREATE, 0o644)
	if err != nil {
		return err
	}
	f.Close()
	return d.bind(device, target)
}

func (d *driver) NodeUnpublishVolume(_ context.Context, req *csi.NodeUnpublishVolumeRequest) (*csi.NodeUnpublishVolumeResponse, error) {
	target := req.GetTargetPath()
	return &csi.NodeUnpublishVolumeResponse{}, d.onVolume(req.GetVolumeId(), target, func(v *volume) error {
		if !slices.Contains(v.Published, target) {
			return nil
		}
		if err := d.unbind(target); err != nil {
			return err
		}
		if err := os.RemoveAll(target); err != nil {
			return err
		}
		v.Published = slices.DeleteFunc(v.Published, func(path string) bool { return path == target })
		if v.Block && len(v.Published) == 0 {
			if err := detachLoop(d.volumes.path(v)); err != nil {
				return err
			}
		}
		if v.Ephemeral && len(v.Published) == 0 {
			return d.volumes.remove(v)
		}
		return d.volumes.save()
	})
}

func (d *driver) NodeGetVolumeStats(_ context.Context, req *csi.NodeGetVolumeStatsRequest) (*csi.NodeGetVolumeStatsResponse, error) {
	reply := &csi.NodeGetVolumeStatsResponse{}
	return reply, d.onVolume(req.GetVolumeId(), req.GetVolumePath(), func(v *volume) error {
		if mounted, err := d.mounter.IsMountPoint(req.GetVolumePath()); err != nil || !mounted {
			return status.Errorf(codes.NotFound, "nothing is mounted at %s", req.GetVolumePath())
		}
		if v.Block {
			reply.Usage = []*csi.VolumeUsage{{Total: v.Bytes, Unit: csi.VolumeUsage_BYTES}}
			return nil
		}
		var fs syscall.Statfs_t
		if err := syscall.Statfs(req.GetVolumePath(), &fs); err != nil {
			return err
		}
		total, free := int64(fs.Blocks)*fs.Bsize, int64(fs.Bavail)*fs.Bsize
		reply.Usage = []*csi.VolumeUsage{{Total: total, Available: free, Used: total - free, Unit: csi.VolumeUsage_BYTES}}
		return nil
	})
}

// bind leaves what is mounted already: calls may come twice.
func (d *driver) bind(source, target string) error {
	if mounted, err := d.mounter.IsMountPoint(target); err != nil || mounted {
		return err
	}
	return d.mounter.Mount(source, target, "", []string{"bind"})
}

func (d *driver) unbind(target string) error {
	mounted, err := d.mounter.IsMountPoint(target)
	if errors.Is(err, os.ErrNotExist) || (err == nil && !mounted) {
		return nil
	}
	if err != nil {
		return err
	}
	return d.mounter.Unmount(target)
}
