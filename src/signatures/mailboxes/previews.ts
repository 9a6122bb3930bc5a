import type { OrgTx } from '../../platform/db/org-tx.ts'
import { conflict } from '../../platform/domain-error.ts'
import { compileSignature, TemplateFault } from '../compile/compile.ts'
import type { Preview } from '../mailbox-schema.ts'
import { mailboxNotFound } from './mailboxes.ts'
import { readSources } from './sources.ts'

/**
 * The signature that the next push would install.
 * @throws DomainError not_found; conflict if there is no template, or the template does not compile
 */
export async function previewMailbox(tx: OrgTx, mailboxId: number): Promise<Preview> {
  const [source] = await readSources(tx, [mailboxId])
  if (!source) throw mailboxNotFound()
  if (!source.template) throw noTemplateError(mailboxId)
  try {
    const { html, text, size, sha256, warnings } = compileSignature(source.template, source.data)
    const { version } = source
    return { mailbox_id: mailboxId, version, html, text, size, html_sha256: sha256, warnings }
  } catch (error) {
    if (!(error instanceof TemplateFault)) throw error
    throw conflict('template_invalid', `The signature does not compile: ${error.placed}`)
  }
}

export const noTemplateError = (mailboxId: number) =>
  conflict(
    'template_missing',
    `This mailbox has no template. Give it one first (PATCH /signatures/mailboxes/${mailboxId} {"template_id": …}).`,
  )
