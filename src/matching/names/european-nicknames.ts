// Each line has a name and its nicknames, for languages that are missing in the English data.
const groups = `
alexander sasha sascha alex olek sandro
aleksandr sasha sanya shura
alexandra sasha sandra alex ola
alessandro sandro ale
andreas andi andy
antonio toni tonio nino
anton toni
anastasia nastya nastia asya
barbara basia babsi
bernhard bernd
christian chris
christoph chris stoffel
dieter didi
dmitri dima mitya
eduard edi edu
ekaterina katya katia
elena lena lenka
elisabeth elsa lisa lisbeth sisi elise betti
fernando nando
filippo pippo
francesco checco franco
francisco paco pancho curro kiko
friedrich fritz fred
georg schorsch
georgios giorgos
giovanni gianni nino vanni
giuseppe beppe peppe pino peppino
guadalupe lupe lupita
guillaume guy
gunther gunni
heinrich heinz heiner
ignacio nacho
ioannis yannis giannis
ivan vanya
jan janek jas
jesus chucho chuy
johannes hans hannes johann jo
johann hans hannes
jose pepe
josef sepp jupp seppi
juan juanito
karol lolek
katarzyna kasia
katharina kathi kati katja kathrin
konstantin kostya
konstantinos kostas
krzysztof krzysiek krzys
lorenzo renzo
ludwig lutz wiggerl
luigi gigi
malgorzata gosia malgosia
manuel manolo manu
margarete grete gretel greta
maria mia mitzi marika
mariadolores lola
mariateresa maite
matthias matze hias
maximilian max maxi
michael michi
mikhail misha
miroslav mirek
nadezhda nadya
natalia natasha
nikolai kolya
nikolaos nikos
olga olya
pavel pasha
philippe phil
pierre pierrot
pietro piero
piotr piotrek
pyotr petya
rafael rafa
roberto berto beto
salvatore toto turi
sebastian basti bastian
sergei seryozha
sofia sonya
stefanie steffi
svetlana sveta
tatiana tanya
tomasz tomek
ulrich uli
ursula uschi ursel
vincenzo enzo
vladimir volodya vova
wilhelm willi
wolfgang wolf wolfi
yevgeny zhenya
zofia zosia
`

/** Pairs of a name and a nickname in European languages, in lower-case ASCII. */
export function europeanNicknames(): [name: string, nickname: string][] {
  return groups
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [name = '', ...nicknames] = line.split(' ')
      return nicknames.map((nickname): [string, string] => [name, nickname])
    })
}
