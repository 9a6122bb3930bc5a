/** Random bytes as hexadecimal text. `crypto.randomUUID` would not work on pages without TLS. */
export declare const randomHex: (bytes: number) => string;
