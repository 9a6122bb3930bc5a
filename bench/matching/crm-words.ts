// Words for generated people and companies, most frequent first.

const words = (text: string): string[] => text.trim().split(/\s+/)

export const firstNames = words(`
  James Michael Robert John David William Richard Joseph Thomas Christopher Charles Daniel Matthew Anthony Mark Steven
  Andrew Paul Joshua Kenneth Kevin Brian Edward Ronald Timothy Jason Jeffrey Ryan Jacob Nicholas Gary Eric Jonathan
  Stephen Larry Justin Scott Brandon Benjamin Samuel Gregory Alexander Patrick Frank Raymond Jack Dennis Jerry Tyler
  Mary Patricia Jennifer Linda Elizabeth Barbara Susan Jessica Karen Sarah Lisa Nancy Sandra Ashley Emily Kimberly
  Margaret Donna Michelle Carol Amanda Melissa Deborah Stephanie Rebecca Sharon Laura Cynthia Dorothy Amy Kathleen
  Angela Shirley Emma Brenda Pamela Nicole Anna Samantha Katherine Christine Debra Rachel Carolyn Janet Maria Olivia
  Lukas Leon Finn Jonas Felix Paul Maximilian Julian Niklas Tobias Stefan Andreas Wolfgang Jürgen Hans Peter Klaus Uwe
  Sabine Petra Monika Claudia Katrin Heike Julia Lena Hannah Marie Sophie Lea Jean Pierre Michel Philippe Alain Nicolas
  François Camille Chloé Manon Isabelle Nathalie Sylvie Céline Marco Giuseppe Giovanni Antonio Luca Alessandro Francesca
  Giulia Chiara Carlos José Luis Javier Miguel Carmen Lucía Ana Sofía Piotr Krzysztof Agnieszka Katarzyna Lars Anders
  Erik Björn Ingrid Astrid Wei Jing Li Min Yan Hiroshi Yuki Kenji Sakura Mohammed Ahmed Ali Fatima Aisha Omar Priya Raj
  Arjun Ananya Vikram Sergey Dmitri Olga Natalia Ivan Tatiana Pedro João Rafael Beatriz Mateus Kwame Amara Chidi Ngozi`)

export const lastNames = words(`
  Smith Johnson Williams Brown Jones Garcia Miller Davis Rodriguez Martinez Hernandez Lopez Gonzalez Wilson Anderson
  Thomas Taylor Moore Jackson Martin Lee Perez Thompson White Harris Sanchez Clark Ramirez Lewis Robinson Walker Young
  Allen King Wright Scott Torres Nguyen Hill Flores Green Adams Nelson Baker Hall Rivera Campbell Mitchell Carter
  Roberts Gomez Phillips Evans Turner Diaz Parker Cruz Edwards Collins Reyes Stewart Morris Morales Murphy Cook Rogers
  Müller Schmidt Schneider Fischer Weber Meyer Wagner Becker Schulz Hoffmann Schäfer Koch Bauer Richter Klein Wolf
  Schröder Neumann Schwarz Zimmermann Braun Krüger Hofmann Hartmann Lange Dubois Durand Leroy Moreau Laurent Lefebvre
  Bertrand Roux Fournier Girard Bonnet Rossi Russo Ferrari Esposito Bianchi Romano Colombo Ricci Marino Greco Silva
  Santos Oliveira Souza Pereira Costa Ferreira Almeida Nowak Kowalski Wiśniewski Wójcik Kamiński Novák Svoboda Dvořák
  Jansen Bakker Visser Smit Mulder Andersson Johansson Karlsson Nilsson Eriksson Hansen Olsen Larsen Pedersen Wang Li
  Zhang Liu Chen Yang Huang Zhao Tanaka Suzuki Sato Takahashi Kim Park Choi Singh Kumar Sharma Patel Gupta Khan Ahmed
  Hassan Ali Ivanov Petrov Smirnov Kuznetsov Popov O'Brien O'Connor Murphy Kelly Byrne Ryan Walsh MacDonald McCarthy`)

const stems =
  words(`Ald Bern Brand Carl Dahl Eck Fels Gold Hald Holm Kall Lind Lund Mar Nord Ost Pal Rosen Sand Sel Stein
  Strand Sund Thal Vall Wein West Wick Win Zell Har Ash Black Brad Bur Clif Cran Dun El Far Gran Hamp Ken Lang Mor`)
const endings = words(
  'berg man ström feld stein er sen ton ley ford well wood field by croft dale mann hausen bach',
)
/** Hundreds of surnames, all equally rare. */
export const rareNames: string[] = stems.flatMap((stem) => endings.map((ending) => stem + ending))

export const cities = words(`
  London Berlin Paris Madrid Hamburg Wien München Milano Amsterdam Boston Chicago Houston Dublin Köln Lyon Zürich Denver
  Austin Seattle Atlanta Toronto Sydney Melbourne Stockholm Oslo København Helsinki Warszawa Praha Budapest Lisboa Porto
  Barcelona Valencia Sevilla Roma Torino Napoli Bologna Firenze Marseille Toulouse Nantes Bordeaux Lille Bruxelles
  Antwerpen Gent Rotterdam Utrecht Eindhoven Leipzig Dresden Stuttgart Frankfurt Düsseldorf Hannover Bremen Nürnberg
  Graz Linz Salzburg Basel Bern Genève Lausanne Manchester Leeds Bristol Glasgow Edinburgh Cardiff Belfast Cork Portland
  Phoenix Dallas Miami Tampa Orlando Detroit Columbus Nashville Memphis Boise Omaha Tulsa Reno Vancouver Calgary Ottawa
  Montréal Perth Brisbane Auckland Wellington Singapore Tokyo Osaka Seoul Mumbai Delhi Bangalore Chennai Lagos Nairobi`)

export const countries = words('US DE GB FR IT ES NL AT CH SE PL CA AU IE BE DK NO FI CZ PT IN JP SG BR')

export const trades = words(`
  Software Systems Consulting Logistics Media Design Foods Energy Health Finance Capital Insurance Robotics Analytics
  Networks Solutions Technologies Partners Trading Engineering Construction Textiles Chemicals Pharma Biotech Motors
  Aviation Marine Travel Hotels Retail Fashion Furniture Packaging Printing Metals Plastics Optics Security Research`)

export const marks = words(`
  Alpha Nova Blue Bright North Summit River Stone Apex Delta Vertex Orbit Cedar Falcon Harbor Iron Juniper Kite Lumen
  Maple Nimbus Onyx Pioneer Quartz Ridge Silver Terra Umbra Vector Willow Xenon Yarrow Zenith Amber Beacon Cobalt Drift
  Ember Forge Granite Helix Indigo Jade Keystone Lotus Meridian Nectar Oak Pixel Quill Raven Sable Tidal Unity Vista`)

export const forms = words('Inc GmbH Ltd LLC AG SA BV SAS SpA AB Corp PLC')

export const titles = words(
  'CEO CTO CFO Engineer Manager Director Consultant Analyst Designer Buyer Recruiter Owner Founder Controller Assistant',
)

export const streets = words(`
  Main Church High Park Station Mill School Victoria Green Queen King Garden Lake Hill Forest River Market Bridge Spring
  Oak Maple Cedar Elm Pine Washington Lincoln Highland Sunset Meadow Valley North South East West Chestnut Walnut`)

export const providers = words(
  'gmail.com outlook.com yahoo.com icloud.com web.de gmx.de hotmail.com orange.fr',
)

export const products = words(
  'Licence Renewal Rollout Pilot Upgrade Support Migration Training Audit Platform Expansion Subscription Integration',
)

export const nicknames: Record<string, string> = {
  James: 'Jim',
  Michael: 'Mike',
  Robert: 'Bob',
  William: 'Bill',
  Richard: 'Rick',
  Joseph: 'Joe',
  Thomas: 'Tom',
  Christopher: 'Chris',
  Charles: 'Charlie',
  Daniel: 'Dan',
  Matthew: 'Matt',
  Anthony: 'Tony',
  Steven: 'Steve',
  Andrew: 'Andy',
  Joshua: 'Josh',
  Edward: 'Ed',
  Timothy: 'Tim',
  Jeffrey: 'Jeff',
  Nicholas: 'Nick',
  Benjamin: 'Ben',
  Samuel: 'Sam',
  Alexander: 'Alex',
  Patricia: 'Pat',
  Jennifer: 'Jen',
  Elizabeth: 'Liz',
  Susan: 'Sue',
  Katherine: 'Kate',
  Margaret: 'Maggie',
  Deborah: 'Debbie',
  Rebecca: 'Becky',
  Samantha: 'Sam',
  Christine: 'Chris',
  Pamela: 'Pam',
}
