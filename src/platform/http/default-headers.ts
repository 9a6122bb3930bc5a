/** Headers of every answer. Routes of pages and documents set their own Cache-Control. */
export const defaultHeaders: Record<string, string> = {
  'cache-control': 'no-store',
  // A page of /docs could open an answer in a window, keep access to it, and use the session otherwise.
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}
