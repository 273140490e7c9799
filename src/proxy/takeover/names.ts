// The names of a takeover beside the socket: hidden, so that neither the kubelet nor we take them for a plugin's, and short, as the path of a socket must be.

export const sideName = (id: string): string => `.kubelimbo-${id}`

export const heldName = (id: string): string => `.kubelimbo-${id}.held`
