/**
 * A `fetch` that reports how much of the body is sent, which the browser's own cannot. It fails as soon as the browser
 * is offline: a lost connection can otherwise stay silent for minutes.
 * @param onProgress called with the sent part of the body, from 0 to 1
 */
export const fetchWithProgress =
  (onProgress: (part: number) => void): typeof fetch =>
  (input, init = {}) => {
    const { promise, resolve, reject } = Promise.withResolvers<Response>()
    const request = new XMLHttpRequest()
    const { signal } = init
    const fail = (reason: unknown) => {
      reject(reason)
      request.abort()
    }
    const goesOffline = () => fail(new TypeError('The browser is offline'))
    const isCanceled = () => fail(signal?.reason)
    request.open(init.method ?? 'GET', String(input))
    new Headers(init.headers).forEach((value, name) => {
      request.setRequestHeader(name, value)
    })
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0)
    request.onload = () => resolve(answerOf(request))
    request.onerror = () => reject(new TypeError('The connection failed'))
    window.addEventListener('offline', goesOffline)
    signal?.addEventListener('abort', isCanceled)
    if (signal?.aborted) isCanceled()
    else request.send(init.body as XMLHttpRequestBodyInit)
    return promise.finally(() => {
      window.removeEventListener('offline', goesOffline)
      signal?.removeEventListener('abort', isCanceled)
    })
  }

function answerOf(request: XMLHttpRequest): Response {
  const headers = new Headers()
  for (const line of request.getAllResponseHeaders().trim().split(/\r\n/)) {
    const colon = line.indexOf(':')
    if (colon > 0) headers.append(line.slice(0, colon), line.slice(colon + 1).trim())
  }
  return new Response(request.responseText, { status: request.status, headers })
}
