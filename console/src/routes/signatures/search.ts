export type SignaturesSearch = {
  /** What the list shows; templates by default. */
  view?: 'mailboxes' | undefined
  /** The rollout whose progress the page of a template shows. */
  rollout?: string | undefined
}

/** The view of the pages of signatures, read from their address. */
export const readSignaturesSearch = ({ view, rollout }: Record<string, unknown>): SignaturesSearch => ({
  view: view === 'mailboxes' ? view : undefined,
  rollout: typeof rollout === 'string' ? rollout : undefined,
})
