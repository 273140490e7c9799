// The node's disk in memory. It outlives the kubelet, and the drivers mount into it. What changes is told.
import {directory} from './disk-tree.ts'
import {type LabDisk, type Tell, treeDisk} from './tree-disk.ts'

export type MemoryDisk = LabDisk

export const memoryDisk = (now: () => number, tell?: Tell): MemoryDisk => treeDisk(directory(now()), now, tell)
