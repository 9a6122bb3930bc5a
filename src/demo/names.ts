/**
 * Common given and family names of each culture. A person gets a random given name and a random family name of one
 * culture.
 */
export const cultures = {
  english: makeCulture(
    'James Mary Robert Patricia John Jennifer Michael Linda William Elizabeth David Barbara Richard Susan Joseph ' +
      'Jessica Thomas Sarah Christopher Karen Daniel Nancy Matthew Lisa Anthony Margaret Steven Emily Andrew Olivia ' +
      'Edward Charlotte Benjamin Amelia Samuel Grace Katherine Alexander Rebecca Nicholas Victoria Theodore',
    'Smith Johnson Williams Brown Jones Miller Davis Wilson Anderson Taylor Moore Jackson Martin Thompson White ' +
      'Harris Clark Lewis Robinson Walker Young Allen King Wright Scott Hill Green Adams Baker Nelson Carter Mitchell ' +
      'Roberts Turner Phillips Campbell Parker Evans Edwards Collins Stewart Morris Cooper Bailey Hughes Whitfield',
  ),
  celtic: makeCulture(
    'Aoife Ciarán Niamh Seán Siobhán Eoin Caitlín Padraig Fiona Callum Isla Hamish Eilidh Rhys Cerys Owen Maeve Declan',
    "O'Brien O'Connor Murphy Kelly Byrne Ryan O'Sullivan Walsh McCarthy Gallagher Doherty MacDonald McKenzie Fraser " +
      'Sinclair Llewellyn Griffiths Pritchard FitzGerald Brennan',
  ),
  hispanic: makeCulture(
    'María José Carmen Antonio Lucía Manuel Sofía Javier Valentina Carlos Camila Alejandro Isabel Diego Ximena Andrés ' +
      'Gabriela Joaquín Inés Rubén Beatriz Héctor Pilar Óscar',
    'García Rodríguez González Fernández López Martínez Sánchez Pérez Gómez Hernández Díaz Álvarez Jiménez Ruiz ' +
      'Moreno Muñoz Romero Navarro Torres Domínguez Vázquez Ramos Castillo Ibáñez',
  ),
  german: makeCulture(
    'Anna Lukas Jürgen Sabine Jörg Monika Matthias Ursula Stefan Claudia Björn Katharina Florian Heike Uwe Käthe ' +
      'Sebastian Annika Günther Franziska Maximilian Lena Tobias Silke',
    'Müller Schmidt Schneider Fischer Weber Meyer Wagner Becker Schulz Hoffmann Schäfer Koch Bauer Richter Klein Wolf ' +
      'Schröder Neumann Zimmermann Krüger Hartmann Köhler Weiß Böhm',
  ),
  french: makeCulture(
    'Camille Étienne Élodie Jean-Luc Amélie Benoît Chloé François Hélène Guillaume Margaux Mathieu Noémie Olivier ' +
      'Céline Rémi Sylvie Thibault Agnès Loïc',
    'Martin Bernard Dubois Thomas Robert Petit Durand Leroy Moreau Laurent Lefèvre Michel Fournier Girard Bonnet ' +
      'Mercier Rousseau Gauthier Perrin Chevalier',
  ),
  italian: makeCulture(
    'Giulia Marco Francesca Alessandro Chiara Lorenzo Elena Matteo Martina Davide Federica Niccolò Silvia Giorgio',
    'Rossi Russo Ferrari Esposito Bianchi Romano Colombo Ricci Marino Greco Gallo Conti De-Luca Mancini Costa Rizzo',
  ),
  nordic: makeCulture(
    'Astrid Lars Ingrid Bjørn Freja Søren Linnéa Åsa Magnus Sigrid Mikael Kirsten Håkon Emil Saga Øystein Elin Nils',
    'Hansen Johansson Nielsen Andersson Karlsson Jensen Olsen Larsen Lindqvist Bergström Sørensen Åkerman Dahl ' +
      'Nygård Holm Sjöberg Haugen Virtanen',
  ),
  slavic: makeCulture(
    'Agnieszka Piotr Katarzyna Tomasz Małgorzata Paweł Zofia Łukasz Jana Tomáš Petra Ondřej Oksana Andriy Milica Dragan',
    'Nowak Kowalski Wiśniewski Wójcik Kamiński Zieliński Szymański Dąbrowski Novák Dvořák Procházka Kovalenko ' +
      'Shevchenko Jovanović Petrović Horvat',
  ),
  dutch: makeCulture(
    'Daan Sanne Jeroen Femke Bram Lotte Pieter Anouk Willem Marieke Joost Fleur',
    'de-Jong Jansen de-Vries van-den-Berg Bakker van-Dijk Visser Smit Meijer de-Boer Mulder Vos',
  ),
  portuguese: makeCulture(
    'João Ana Tiago Beatriz Rafael Mariana Gustavo Larissa Thiago Fernanda Vinícius Letícia Rodrigo Inês',
    'Silva Santos Oliveira Souza Pereira Costa Rodrigues Almeida Carvalho Araújo Gonçalves Barbosa Magalhães Simões',
  ),
  indian: makeCulture(
    'Priya Rahul Ananya Arjun Deepika Vikram Kavya Sanjay Meera Rohan Lakshmi Aditya Nisha Karthik Pooja Harpreet',
    'Sharma Patel Singh Kumar Gupta Reddy Iyer Nair Mehta Desai Chatterjee Banerjee Rao Kapoor Joshi Menon',
  ),
  chinese: makeCulture(
    'Wei Fang Jing Xiuying Min Jun Yan Lei Xiaoming Hui Ling Hao Mei Jian Yuting Zihan',
    'Wang Li Zhang Liu Chen Yang Huang Zhao Wu Zhou Xu Sun Ma Zhu Lin Guo',
  ),
  japanese: makeCulture(
    'Haruto Yui Sōta Aoi Ren Hina Kaito Sakura Kenji Naoko Takashi Emi Daisuke Yuki',
    'Satō Suzuki Takahashi Tanaka Watanabe Itō Yamamoto Nakamura Kobayashi Katō Yoshida Yamada Sasaki Matsumoto',
  ),
  arabic: makeCulture(
    'Fatima Mohammed Aisha Omar Layla Youssef Noor Khalid Mariam Hassan Salma Ibrahim Amira Tariq Rania Karim',
    'Al-Farsi Haddad Khoury Mansour El-Sayed Nasser Rahman Hussein Saleh Aziz Ben-Ali Bouzid Darwish Sabbagh',
  ),
  african: makeCulture(
    'Chidi Amara Kwame Ngozi Tunde Zanele Thabo Adaeze Kofi Abena Sipho Wanjiru Femi Lindiwe Oluwaseun Ifeoma',
    'Okafor Adeyemi Mensah Nkosi Okonkwo Boateng Dlamini Mwangi Balogun Owusu Ndlovu Kamau Eze Asante',
  ),
  turkish: makeCulture(
    'Ayşe Mehmet Zeynep Emre Elif Mustafa Büşra Çağlar Gülşen Işıl Ömer Yiğit',
    'Yılmaz Kaya Demir Çelik Şahin Yıldız Öztürk Aydın Özdemir Arslan Doğan Koç',
  ),
}
export type Culture = keyof typeof cultures

export const nicknames: Record<string, string[]> = {
  James: ['Jim', 'Jimmy', 'Jamie'],
  Robert: ['Bob', 'Rob', 'Bobby'],
  Patricia: ['Pat', 'Trish'],
  John: ['Jack', 'Johnny'],
  Jennifer: ['Jen', 'Jenny'],
  Michael: ['Mike', 'Mick'],
  William: ['Bill', 'Will', 'Liam'],
  David: ['Dave'],
  Elizabeth: ['Liz', 'Beth', 'Betty'],
  Barbara: ['Barb'],
  Richard: ['Dick', 'Rick'],
  Susan: ['Sue'],
  Joseph: ['Joe'],
  Jessica: ['Jess'],
  Thomas: ['Tom'],
  Christopher: ['Chris'],
  Daniel: ['Dan', 'Danny'],
  Matthew: ['Matt'],
  Anthony: ['Tony'],
  Margaret: ['Maggie', 'Peggy'],
  Steven: ['Steve'],
  Andrew: ['Andy', 'Drew'],
  Edward: ['Ed', 'Ted'],
  Benjamin: ['Ben'],
  Samuel: ['Sam'],
  Katherine: ['Kate', 'Kathy'],
  Alexander: ['Alex', 'Sandy'],
  Rebecca: ['Becky'],
  Nicholas: ['Nick'],
  Victoria: ['Vicky', 'Tori'],
  Theodore: ['Ted', 'Theo'],
  José: ['Pepe'],
  Antonio: ['Toño'],
  Manuel: ['Manolo'],
  Alejandro: ['Álex'],
  Isabel: ['Isa'],
  Gabriela: ['Gaby'],
  Katharina: ['Kathi'],
  Sebastian: ['Basti'],
  Franziska: ['Franzi'],
  Maximilian: ['Max'],
  Tobias: ['Tobi'],
  Guillaume: ['Guy'],
  Alessandro: ['Sandro'],
  Francesca: ['Franca'],
  Mikael: ['Micke'],
  Katarzyna: ['Kasia'],
  Tomasz: ['Tomek'],
  Małgorzata: ['Gosia'],
  Willem: ['Wim'],
  Rafael: ['Rafa'],
  Beatriz: ['Bia'],
  Mohammed: ['Mo'],
  Oluwaseun: ['Seun'],
  Mehmet: ['Memo'],
}

function makeCulture(given: string, family: string): { given: string[]; family: string[] } {
  const words = (text: string) =>
    text.split(' ').map((word) => word.replace(/^(de|van|De)-(den-)?(?=\p{Lu})/u, hyphensToSpaces))
  return { given: given.split(' '), family: words(family) }
}

function hyphensToSpaces(particles: string): string {
  return particles.replaceAll('-', ' ')
}
