import type { Culture } from './names.ts'

/** A city. The fictional phone numbers are `prefix` followed by `digits` digits. */
export type DemoPlace = {
  country: string
  city: string
  region: string
  legalForm: string
  phone: { prefix: string; digits: number } | null
}

/** A country, its share of the demo's companies, and the weights of its cultures. */
export type Country = { share: number; cultures: Partial<Record<Culture, number>>; places: DemoPlace[] }

/**
 * The countries of the demo. Phone numbers are reserved for fiction: 555-0100 to 0199 in North America, and the
 * ranges of Ofcom, ACMA, ARCEP and the Bundesnetzagentur. Other countries have none.
 */
export const countries: Country[] = [
  country(
    'United States',
    34,
    ['Inc.', '+1', '55501', 2],
    {
      english: 9,
      celtic: 2,
      hispanic: 4,
      chinese: 1,
      indian: 1,
      arabic: 1,
      african: 1,
      italian: 1,
      german: 1,
    },
    [
      'New York/New York/212',
      'Brooklyn/New York/718',
      'Buffalo/New York/716',
      'Los Angeles/California/213',
      'San Francisco/California/415',
      'San Diego/California/619',
      'Sacramento/California/916',
      'Chicago/Illinois/312',
      'Houston/Texas/713',
      'Austin/Texas/512',
      'Dallas/Texas/214',
      'Phoenix/Arizona/602',
      'Seattle/Washington/206',
      'Portland/Oregon/503',
      'Denver/Colorado/303',
      'Boston/Massachusetts/617',
      'Atlanta/Georgia/404',
      'Miami/Florida/305',
      'Orlando/Florida/407',
      'Tampa/Florida/813',
      'Nashville/Tennessee/615',
      'Detroit/Michigan/313',
      'Columbus/Ohio/614',
      'Cleveland/Ohio/216',
      'Minneapolis/Minnesota/612',
      'Philadelphia/Pennsylvania/215',
      'Pittsburgh/Pennsylvania/412',
      'Baltimore/Maryland/410',
      'Raleigh/North Carolina/919',
      'Charlotte/North Carolina/704',
      'Las Vegas/Nevada/702',
      'Salt Lake City/Utah/801',
      'New Orleans/Louisiana/504',
      'Kansas City/Missouri/816',
      'Albuquerque/New Mexico/505',
    ],
  ),
  country(
    'Canada',
    6,
    ['Inc.', '+1', '55501', 2],
    { english: 6, french: 4, indian: 2, chinese: 2, celtic: 2 },
    [
      'Toronto/Ontario/416',
      'Ottawa/Ontario/613',
      'Montréal/Québec/514',
      'Québec/Québec/418',
      'Vancouver/British Columbia/604',
      'Calgary/Alberta/403',
      'Winnipeg/Manitoba/204',
      'Halifax/Nova Scotia/902',
    ],
  ),
  country(
    'United Kingdom',
    16,
    ['Ltd', '+44', '', 3],
    { english: 10, celtic: 4, indian: 2, african: 1, slavic: 1, arabic: 1 },
    [
      'London/England/2079460',
      'Birmingham/England/1214960',
      'Manchester/England/1614960',
      'Leeds/England/1134960',
      'Sheffield/England/1144960',
      'Nottingham/England/1154960',
      'Leicester/England/1164960',
      'Bristol/England/1174960',
      'Liverpool/England/1514960',
      'Newcastle upon Tyne/England/1914980',
      'Glasgow/Scotland/1414960',
      'Edinburgh/Scotland/1314960',
      'Cardiff/Wales/2920180',
      'Belfast/Northern Ireland/2896496',
    ],
  ),
  country(
    'Australia',
    6,
    ['Pty Ltd', '+61', '', 4],
    { english: 8, celtic: 3, chinese: 2, indian: 1, italian: 1 },
    [
      'Sydney/New South Wales/25550',
      'Newcastle/New South Wales/27010',
      'Melbourne/Victoria/35550',
      'Hobart/Tasmania/37010',
      'Brisbane/Queensland/75550',
      'Cairns/Queensland/77010',
      'Perth/Western Australia/85550',
      'Adelaide/South Australia/87010',
    ],
  ),
  country('Germany', 9, ['GmbH', '+49', '', 3], { german: 10, turkish: 2, slavic: 1, italian: 1 }, [
    'Berlin/Berlin/3023125',
    'Hamburg/Hamburg/4066969',
    'Frankfurt am Main/Hessen/6990009',
    'Köln/Nordrhein-Westfalen/2214710',
    'München/Bayern/8999998',
  ]),
  country('France', 7, ['SAS', '+33', '', 4], { french: 10, arabic: 2, portuguese: 1 }, [
    'Paris/Île-de-France/19900',
    'Rennes/Bretagne/26191',
    'Strasbourg/Grand Est/35301',
    'Lyon/Auvergne-Rhône-Alpes/46571',
    'Bordeaux/Nouvelle-Aquitaine/53649',
  ]),
  country('Spain', 4, ['S.L.', '', '', 0], { hispanic: 1 }, [
    'Madrid/Comunidad de Madrid',
    'Barcelona/Cataluña',
    'Sevilla/Andalucía',
  ]),
  country('Mexico', 3, ['S.A. de C.V.', '', '', 0], { hispanic: 1 }, [
    'Ciudad de México/CDMX',
    'Monterrey/Nuevo León',
    'Guadalajara/Jalisco',
  ]),
  country('Italy', 3, ['S.r.l.', '', '', 0], { italian: 1 }, [
    'Milano/Lombardia',
    'Roma/Lazio',
    'Torino/Piemonte',
  ]),
  country('Netherlands', 2, ['B.V.', '', '', 0], { dutch: 6, turkish: 1 }, [
    'Amsterdam/Noord-Holland',
    'Utrecht/Utrecht',
    'Rotterdam/Zuid-Holland',
  ]),
  country('Sweden', 2, ['AB', '', '', 0], { nordic: 1 }, [
    'Stockholm/Stockholms län',
    'Göteborg/Västra Götaland',
  ]),
  country('Denmark', 1, ['ApS', '', '', 0], { nordic: 1 }, ['København/Hovedstaden', 'Aarhus/Midtjylland']),
  country('Poland', 3, ['Sp. z o.o.', '', '', 0], { slavic: 1 }, [
    'Warszawa/Mazowieckie',
    'Kraków/Małopolskie',
    'Łódź/Łódzkie',
  ]),
  country('Brazil', 3, ['Ltda', '', '', 0], { portuguese: 1 }, [
    'São Paulo/São Paulo',
    'Curitiba/Paraná',
    'Recife/Pernambuco',
  ]),
  country('India', 4, ['Pvt Ltd', '', '', 0], { indian: 1 }, [
    'Bengaluru/Karnataka',
    'Mumbai/Maharashtra',
    'Pune/Maharashtra',
    'Chennai/Tamil Nadu',
  ]),
  country('Japan', 2, ['K.K.', '', '', 0], { japanese: 1 }, [
    'Tōkyō/Tōkyō',
    'Ōsaka/Ōsaka',
    'Fukuoka/Fukuoka',
  ]),
  country('Singapore', 1, ['Pte Ltd', '', '', 0], { chinese: 3, indian: 1 }, ['Singapore/Singapore']),
  country('Nigeria', 2, ['Ltd', '', '', 0], { african: 1 }, ['Lagos/Lagos', 'Abuja/FCT']),
  country('Türkiye', 1, ['A.Ş.', '', '', 0], { turkish: 1 }, ['İstanbul/İstanbul', 'Ankara/Ankara']),
  country('United Arab Emirates', 1, ['LLC', '', '', 0], { arabic: 3, indian: 2 }, [
    'Dubai/Dubai',
    'Abu Dhabi/Abu Dhabi',
  ]),
]

function country(
  name: string,
  share: number,
  [legalForm, callingCode, exchange, digits]: [string, string, string, number],
  people: Partial<Record<Culture, number>>,
  cities: string[],
): Country {
  const places = cities.map((text): DemoPlace => {
    const [city = '', region = '', area] = text.split('/')
    const phone = area === undefined ? null : { prefix: `${callingCode}${area}${exchange}`, digits }
    return { country: name, city, region, legalForm, phone }
  })
  return { share, cultures: people, places }
}
