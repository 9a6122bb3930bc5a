export type TemplateSearch = {
  /** The rollout whose progress is shown. */
  rollout?: string | undefined
}

/** The view of a template's page, read from its address. */
export const readTemplateSearch = ({ rollout }: Record<string, unknown>): TemplateSearch => ({
  rollout: typeof rollout === 'string' ? rollout : undefined,
})
