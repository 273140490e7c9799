// How many may wait to be accepted: what a server in Go asks for (net/sock_linux.go, maxListenerBacklog), as clients that meet a shorter queue get EAGAIN.

/** The kernel takes net.core.somaxconn for it where that is less; node asks for 511. */
export const backlog = 65_535
