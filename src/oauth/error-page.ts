import type { ErrorOut } from 'oidc-provider'
import { escapeHtml } from '../platform/http/escape-html.ts'
import { DocumentUnreadable } from './client-documents.ts'

/** A page without scripts or fonts, for people whose app sent something wrong. */
export function errorPage(out: ErrorOut, error: Error): string {
  const reason =
    error.cause instanceof DocumentUnreadable ? error.cause.message : (out.error_description ?? out.error)
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Not connected</title><body style="font:16px/1.5 system-ui;max-width:32rem;margin:4rem auto;padding:0 1rem;color-scheme:light dark"><h1 style="font-size:1.25rem">The app was not connected</h1><p>${escapeHtml(reason)}</p><p>Close this window, and start again in the app. If it happens again, tell the makers of the app what is written here.</p></body></html>`
}
