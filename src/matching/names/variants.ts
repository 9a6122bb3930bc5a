import { soundSpelling } from './phonetics.ts'

// Each line has the spellings of one name in one language or alphabet. Spellings that `soundSpelling` makes equal are
// left out.
const groups = `
mohammed muhammad mohamed mohammad mohamad muhammed muhamad muhammet mochamad mokhammad maxamed mohamud md mohd
ahmed ahmad akhmed akhmad axmed
mahmoud mahmud makhmud mehmood mahmood
hussein hussain husayn husain hossein hosein khusein huseyin housein
hassan khasan hasan
ali aly
abdullah abdallah abdellah abdulla abdullahi abdilahi
abdulrahman abdurrahman abdelrahman abderrahman abderrahmane abdurahman abdirahman abdulrehman
osama usama oussama
omar umar
othman usman osman uthman
youssef yusuf yousef yusef youssouf yousuf yousif yusif
ibrahim ebrahim ibraheem
ismail ismael esmail
khalid khaled halid
said saeed saied
sayyid sayed sayyed seyed syed
mustafa mostafa mustapha mostapha
yasser yasir yaser
nasser nasir naser
tariq tarek tarik tareq
karim kareem
rashid rasheed rachid
hamid hameed
hamed hamad
jamal gamal djamal
jamil gamil jameel djamil
fatima fatma fatimah fatemeh
aisha ayesha aicha aysha aishah
zainab zaynab zeinab zeynab
maryam mariam meryem
layla leila laila leyla
suleiman sulaiman soliman suleyman sulayman
bashar bachar
bashir bachir basheer
sharif cherif sherif shareef
haidar haydar haider heydar
qasim kassem qassem qasem kasim
qaddafi gaddafi kadhafi gadhafi qadhafi
rida reza riza ridha
tahir taher
walid waleed oualid
salim salem saleem selim
salih saleh
adel adil
amir ameer
murad mourad
ladin laden
dmitri dimitri dmytro dzmitry
sergei serhiy siarhei sergiy serge
alexander aleksandr alexandr oleksandr aliaksandr aleksandar alyaksandr
alexandra aleksandra oleksandra
alexei oleksii oleksiy aliaksei aleksej alyaksei
andrei andriy andrii
mikhail michail mykhailo mihail mikhailo
nikolai mykola mikalai
vladimir volodymyr uladzimir wladimir
evgeny yevhen evgen yevheniy yauhen
igor ihor
oleg oleh
olga olha
elena yelena olena jelena alena
ekaterina yekaterina kateryna katerina
natalia natalya nataliya natallia
tatiana tatyana tetiana tatjana
irina iryna
maria mariya mariia marya
julia yuliya yuliia iuliia
ksenia xenia kseniya kseniia
svetlana svitlana sviatlana
anastasia anastasiya anastasiia
pavel pavlo pavol
petr pyotr petro piotr
fyodor fedor feodor fyodr
artem artyom artiom
maxim maksym
konstantin kostyantyn constantin
gennady hennadii gennadiy
grigory hryhoriy grigori hryhorii
vasily vasyl vasili vasil
vitaly vitalii vitali
anatoly anatolii anatoli
valery valerii valeri
ilya iliya illia
kirill kyrylo
bogdan bohdan
georgios yiorgos giorgos georgos
ioannis yannis giannis yiannis
dimitrios dimitris
mukherjee mukherji mookerjee
banerjee banerji
chatterjee chatterji
chaudhary choudhary chowdhury chaudhry choudhury chaudhuri
lakshmi laxmi
narendra narender
surendra surender
rajendra rajender
mahendra mahender
yi rhee lee
park pak bak
kim gim
eun un
hyun hyeon
young yeong
seung seong
choi choe
jung jeong jong
nguyen nguyn
steven stephen stevan
geoffrey jeffrey jeffery
katherine catherine kathryn katharine cathryn catharine cathrine katrine
alan allan allen
brian bryan
sean shaun shawn
lawrence laurence
eric erik erich
jon john
frederick frederic fredrick frederik
nicholas nicolas nikolas
anthony antony
elizabeth elisabeth
teresa theresa therese
rachel rachael
rebecca rebekah
deborah debra
isabel isabelle isobel isabell
caroline carolyn
ann anne
philip philippe filip
matthew mathew
stuart stewart
`
  .trim()
  .split('\n')

const groupOf = new Map<string, number>()
for (const [number, group] of groups.entries()) {
  for (const name of group.split(' ')) groupOf.set(soundSpelling(name), number)
}

/**
 * The group of a name (in `soundSpelling`), or −1. A group has transliterations (Mohammed, Muhammad; Sergey, Serhiy)
 * and variants within one language (Steven, Stephen). Names with a common origin, such as John and Ivan, are
 * different groups.
 */
export function variantGroup(spelling: string): number {
  return groupOf.get(spelling) ?? -1
}
