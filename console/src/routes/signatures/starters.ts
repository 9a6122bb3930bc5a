export type Starter = { name: string; about: string; html: string }

const plain = `<p style="font:14px/20px Arial,sans-serif;margin:0">
  <b>{{ display_name }}</b><br>
  {% if title %}{{ title }}, {% endif %}{{ org.name }}<br>
  {% if phone %}<a href="tel:{{ phone }}">{{ phone }}</a>{% endif %}
</p>
`

const photo = `<table cellpadding="0" cellspacing="0">
  <tr>
    {% if photo_url %}
    <td style="padding-right:16px" valign="top">
      <img src="{{ photo_url }}" width="64" height="64" alt="{{ display_name }}" style="border-radius:4px">
    </td>
    {% endif %}
    <td style="font:14px/20px Arial,sans-serif">
      <b>{{ display_name }}</b><br>
      {% if title %}{{ title }}, {% endif %}{{ org.name }}<br>
      {% if phone %}<a href="tel:{{ phone }}">{{ phone }}</a><br>{% endif %}
      <a href="mailto:{{ email }}">{{ email }}</a>
    </td>
  </tr>
</table>
`

/** What a new template begins with. */
export const starters = {
  plain: { name: 'Plain', about: 'Name, title, organization and phone, as text.', html: plain },
  photo: {
    name: 'Photo beside name',
    about: 'A photo if there is one, with the same lines beside it.',
    html: photo,
  },
} as const satisfies Record<string, Starter>

export type StarterKey = keyof typeof starters
export const starterKeys = Object.keys(starters) as StarterKey[]
