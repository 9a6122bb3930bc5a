/** A host and a port in the form that addresses have: an IPv6 address has brackets. */
export const hostAndPort = ({ host, port }: { host: string; port: number }): string =>
  `${host.includes(':') ? `[${host}]` : host}:${port}`
