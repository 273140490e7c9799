package main

import (
	"encoding/json"
	"errors"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
)

// A volume is a folder, or for a raw block volume a file, of the name of its ID.
type volume struct {
	ID               string
	Bytes            int64
	Block, Ephemeral bool
	Staged           string   // its staging path, or empty
	Published        []string // its target paths
}

// What the store knows outlives the process: a driver that was killed still knows what it published.
type store struct {
	sync.Mutex // held for the whole of a call
	dir        string
	volumes    map[string]*volume
}

func openStore(dir string) *store {
	s := &store{dir: dir, volumes: map[string]*volume{}}
	text, err := os.ReadFile(filepath.Join(dir, "state.json"))
	if err == nil {
		err = json.Unmarshal(text, &s.volumes)
	}
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		log.Fatal(err)
	}
	return s
}

func (s *store) save() error {
	text, err := json.Marshal(s.volumes)
	if err != nil {
		return err
	}
	next := filepath.Join(s.dir, ".state.json")
	if err := os.WriteFile(next, text, 0o600); err != nil {
		return err
	}
	return os.Rename(next, filepath.Join(s.dir, "state.json"))
}

func (s *store) path(v *volume) string { return filepath.Join(s.dir, v.ID) }

func (s *store) create(v *volume) error {
	var err error
	if v.Block {
		err = os.WriteFile(s.path(v), make([]byte, v.Bytes), 0o600)
	} else {
		err = os.MkdirAll(s.path(v), 0o755)
	}
	if err != nil {
		return err
	}
	s.volumes[v.ID] = v
	return s.save()
}

func (s *store) remove(v *volume) error {
	if err := os.RemoveAll(s.path(v)); err != nil {
		return err
	}
	delete(s.volumes, v.ID)
	return s.save()
}

// The loop device of a file, or nothing.
func loopOf(file string) (string, error) {
	out, err := exec.Command("losetup", "--associated", file, "--noheadings", "--output", "NAME").Output()
	first, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	return first, err
}

func attachLoop(file string) (string, error) {
	if device, err := loopOf(file); err != nil || device != "" {
		return device, err
	}
	out, err := exec.Command("losetup", "--find", "--show", file).Output()
	return strings.TrimSpace(string(out)), err
}

func detachLoop(file string) error {
	device, err := loopOf(file)
	if err != nil || device == "" {
		return err
	}
	return exec.Command("losetup", "--detach", device).Run()
}
