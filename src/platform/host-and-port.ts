/** A host and a port as they stand in addresses: an IPv6 address has brackets. */
export const hostAndPort = ({ host, port }: { host: string; port: number }): string =>
  `${host.includes(':') ? `[${host}]` : host}:${port}`
