/** A file to send. A function makes a new stream for each try; a request with a plain stream is not retried. */
export type FileBody =
  | Blob
  | ReadableStream<Uint8Array>
  | (() => ReadableStream<Uint8Array> | Promise<ReadableStream<Uint8Array>>)
  | Uint8Array

export type Body = {
  contentType: string | null
  isFile: boolean
  isRepeatable: boolean
  /** The options of `fetch` for the body. */
  content(): Promise<RequestInit>
}

/** Sends a file unchanged, and anything else as JSON. */
export function bodyOf(value: unknown): Body {
  const isFunction = typeof value === 'function'
  if (isFunction || value instanceof ReadableStream)
    return {
      contentType: 'text/csv',
      isFile: true,
      isRepeatable: isFunction,
      async content() {
        // Node requires `duplex` for streams, which the DOM's types lack.
        const stream = { body: isFunction ? await value() : value, duplex: 'half' }
        return stream as RequestInit
      },
    }
  const isFile = value instanceof Blob || value instanceof Uint8Array
  const type = isFile ? (value instanceof Blob && value.type) || 'text/csv' : 'application/json'
  const body = isFile ? (value as BodyInit) : JSON.stringify(value)
  return {
    contentType: value === undefined ? null : type,
    isFile,
    isRepeatable: true,
    content: async () => (value === undefined ? {} : { body }),
  }
}

/** A query with its `?`, or an empty text. Lists are joined with commas. null and undefined are left out. */
export function queryOf(query: object): string {
  const text = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== null) text.append(name, String(value))
  const asked = String(text)
  return asked && `?${asked}`
}
