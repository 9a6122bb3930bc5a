import { z } from 'zod'
import { id } from '../../platform/http/fields.ts'
import * as shown from '../../platform/http/shown.ts'

export const SnippetQuery = z.object({ write_key_id: id().describe('The write key that the page uses.') })

export const Snippet = z
  .object({
    write_key_id: shown.id('The write key that the page uses.'),
    snippet: shown.text(
      'HTML for the head of each page.',
      '<script>…</script>\n<script async src="https://crosswalk.example.com/sdk/v1.js"></script>',
    ),
    script_url: shown.text(
      'The address of the script that the snippet loads.',
      'https://crosswalk.example.com/sdk/v1.js',
    ),
  })
  .meta({ title: 'TrackingSnippet' })

export type Snippet = z.output<typeof Snippet>
