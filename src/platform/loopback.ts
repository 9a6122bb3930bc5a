/** Returns whether a host, with or without a port, is this machine: localhost, 127.0.0.0/8 or [::1]. */
export const isLoopbackHost = (host: string): boolean =>
  /^(localhost|127(\.\d{1,3}){3}|\[::1\])\.?(:\d*)?$/i.test(host)
