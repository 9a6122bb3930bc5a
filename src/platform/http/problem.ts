/** An answer other than success or 422: its status, a text that says what to do, and headers of its own. */
export class Problem extends Error {
  override name = 'Problem'
  readonly status: number
  readonly headers: Record<string, string>

  constructor(status: number, detail: string, headers: Record<string, string> = {}) {
    super(detail)
    this.status = status
    this.headers = headers
  }
}

export function badRequest(detail: string): Problem {
  return new Problem(400, detail)
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
