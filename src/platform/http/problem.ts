/**
 * An answer other than success or 422: its status, a text that says what to do, and headers of its own. `code` is a stable
 * word for programs, where the endpoint documents one.
 */
export class Problem extends Error {
  override name = 'Problem'
  readonly status: number
  readonly headers: Record<string, string>
  readonly code: string | undefined

  constructor(status: number, detail: string, headers: Record<string, string> = {}, code?: string) {
    super(detail)
    this.status = status
    this.headers = headers
    this.code = code
  }

  /** The body of the answer. */
  get body(): { detail: string; code?: string } {
    const { message: detail, code } = this
    return code === undefined ? { detail } : { detail, code }
  }
}

export function badRequest(detail: string, code?: string): Problem {
  return new Problem(400, detail, {}, code)
}

export function forbidden(detail: string): Problem {
  return new Problem(403, detail)
}

export function notFound(detail: string): Problem {
  return new Problem(404, detail)
}

export function conflict(detail: string): Problem {
  return new Problem(409, detail)
}

/** Another service, which this needs, did not do its part. */
export function badGateway(detail: string): Problem {
  return new Problem(502, detail)
}
