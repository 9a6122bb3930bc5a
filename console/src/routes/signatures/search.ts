export type TemplateSearch = {
  /** The rollout whose progress is shown. */
  rollout?: string | undefined
}

/** The view of the page of all signatures; templates by default. */
export type SignaturesSearch = { view?: 'mailboxes' | undefined }

export const readSignaturesSearch = ({ view }: Record<string, unknown>): SignaturesSearch => ({
  view: view === 'mailboxes' ? view : undefined,
})

/** The view of a template's page, read from its address. */
export const readTemplateSearch = ({ rollout }: Record<string, unknown>): TemplateSearch => ({
  rollout: typeof rollout === 'string' ? rollout : undefined,
})
