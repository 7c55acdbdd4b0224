// The stations that the sandbox recognises (document 1: "an unrecognised code gives 400").
// - Only the larger stations of Great Britain, not all 2,600. Codes are in capitals; names are as a station announces them.
// - CRS and TIPLOC codes as NaPTAN publishes them (Open Government Licence v3.0).

export interface Station {
  /** Three letters. */
  readonly crs: string;
  readonly name: string;
}

/** CRS code, TIPLOC codes (a station can have several), name. */
const table = `
ABD ABRDEEN Aberdeen
AFK ASHFKY Ashford International
ALM ALNMOTH Alnmouth
ARB ARBROTH Arbroath
AUD AUDLEYE Audley End
AVM AVIEMRE Aviemore
AYR AYRR Ayr
AYS AYLSBRY Aylesbury
BAN BNBR Banbury
BBN BLKB Blackburn
BCS BCSTN Bicester North
BCU BKNHRST Brockenhurst
BDI BRADIN Bradford Interchange
BDM BEDFDM Bedford
BDQ BRADFS Bradford Forster Square
BFR BLFR London Blackfriars
BGN BRGEND Bridgend
BHI BHAMINT Birmingham International
BHM BHAMNWS Birmingham New Street
BIS BSHPSFD Bishops Stortford
BLY BLTCHLY Bletchley
BMH BOMO Bournemouth
BMO BHAMMRS Birmingham Moor Street
BNG BANGOR Bangor
BNY BNSLY Barnsley
BOD BODMNPW Bodmin Parkway
BPN BLCKPLN Blackpool North
BPW BRSTPWY Bristol Parkway
BRI BRSTLTM Bristol Temple Meads
BSE BSTEDMS Bury St Edmunds
BSK BSNGSTK Basingstoke
BSW BHAMSNH Birmingham Snow Hill
BTH BATHSPA Bath Spa
BTN BRGHTN Brighton
BWK BRWCKUT Berwick-upon-Tweed
CAR CARLILE Carlisle
CBE CNTBE Canterbury East
CBG CAMBDGE Cambridge
CBW CNTBW Canterbury West
CDF CRDFCEN Cardiff Central
CHD CHFD Chesterfield
CHM CHLMSFD Chelmsford
CHX CHRX London Charing Cross
CLJ CLPHMJ1,CLPHMJ2,CLPHMJC,CLPHMJM,CLPHMJW Clapham Junction
CMN CMTHN Carmarthen
CNM CHLTNHM Cheltenham Spa
COL CLCHSTR Colchester
COR CORBY Corby
COV COVNTRY Coventry
CPM CHIPNHM Chippenham
CRE CREWE Crewe
CRL CHORLEY Chorley
CTM CHATHAM Chatham
CTR CHST Chester
DAR DLTN Darlington
DBY DRBY Derby
DEE DUNDETB Dundee
DHM DRHM Durham
DID DIDCOTP Didcot Parkway
DIS DISS Diss
DMF DUMFRES Dumfries
DON DONC Doncaster
DVP DOVERP Dover Priory
EBD EBSFDOM Ebbsfleet International
EBN EBOURNE Eastbourne
ECR ECROYDN East Croydon
EDB EDINBUR Edinburgh
ELY ELYY Ely
ESL ELGH Eastleigh
EUS EUSTON London Euston
EXC EXETERC Exeter Central
EXD EXETRSD Exeter St Davids
FGW FGDHGWK Fishguard and Goodwick
FKG FALKRKG Falkirk Grahamston
FKW FLKSTNW Folkestone West
FNB FRBRMN Farnborough Main
FPK FNPK Finsbury Park
FST FENCHRS London Fenchurch Street
FTW FRTWLM Fort William
GCR GLOSTER Gloucester
GLC GLGC Glasgow Central
GLD GUILDFD Guildford
GLQ GLGQHL Glasgow Queen Street
GRA GTHM Grantham
GRV GRVSEND Gravesend
GTW GTWK Gatwick Airport
HAV HAVANT Havant
HBD HBDNBDG Hebden Bridge
HEX HEXHAM Hexham
HFD HEREFRD Hereford
HFX HLFX Halifax
HGS HASTING Hastings
HGT HAGT Harrogate
HHD HLYH Holyhead
HHE HYWRDSH Haywards Heath
HIT HITCHIN Hitchin
HML HEMLHMP Hemel Hempstead
HON HONITON Honiton
HOV HOVE Hove
HPL HRTLEPL Hartlepool
HUD HDRSFLD Huddersfield
HUL HULL Hull
HWV HTRWTM5 Heathrow Terminal 5
HWY HWYCOMB High Wycombe
HYM HAYMRKT Haymarket
ILK ILKLEY Ilkley
INV IVRNESS Inverness
IPS IPSWICH Ipswich
KDY KCLD Kirkcaldy
KEI KEIGHLY Keighley
KET KETR Kettering
KGX KNGX London Kings Cross
KIN KGUSSIE Kingussie
KLN KLYNN Kings Lynn
KMK KILMRNK Kilmarnock
KYL KYLELSH Kyle of Lochalsh
LAN LANCSTR Lancaster
LBG LNDNBDC,LNDNBDE London Bridge
LCN LINCLNC Lincoln
LDS LEEDS Leeds
LEI LESTER Leicester
LEU LEUCHRS Leuchars
LGE LNGEATN Long Eaton
LIC LCHC Lichfield City
LIV LVRPLSH Liverpool Lime Street
LLJ LANDUDJ Llandudno Junction
LMS LMNGTNS Leamington Spa
LOC LCKRBIE Lockerbie
LPY ALERTN,LVRPSPY Liverpool South Parkway
LSK LISKARD Liskeard
LST LIVST London Liverpool Street
LTN LUTOAPY Luton Airport Parkway
LUT LUTON Luton
LWS LEWES Lewes
MAC MACLSFD Macclesfield
MAI MDNHEAD Maidenhead
MAN MNCRPIC Manchester Piccadilly
MBR MDLSBRO Middlesbrough
MCO MNCROXR Manchester Oxford Road
MCV MNCRVIC Manchester Victoria
MDE MSTONEE Maidstone East
MFH MLFDHVN Milford Haven
MHR MRKTHRB Market Harborough
MHS MEADWHL Meadowhall
MIA MNCRIAP Manchester Airport
MKC MKNSCEN Milton Keynes Central
MLG MLAIG Mallaig
MLT MALTON Malton
MPT MRPTHRP Morpeth
MTH MOTHRWL Motherwell
MTS MONTRSE Montrose
MYB MARYLBN London Marylebone
NCL NWCSTLE Newcastle
NMP NMPTN Northampton
NNG NEWANG Newark North Gate
NOT NTNG Nottingham
NRW NRCH Norwich
NTA NABT Newton Abbot
NTH NEATH Neath
NTR NLRTN Northallerton
NUN NNTN Nuneaton
NWP NWPTRTG Newport South Wales
OBN OBAN Oban
OXF OXFD Oxford
OXN OXENHLM Oxenholme Lake District
PAD PADTON London Paddington
PAR PARR Par
PBO PBRO Peterborough
PIT PTLCHRY Pitlochry
PLY PLYMTH Plymouth
PMH PHBR Portsmouth Harbour
PMS PSEA Portsmouth and Southsea
PNR PNTH Penrith North Lakes
PNZ PENZNCE Penzance
POO POOLE Poole
PRE PRST Preston
PTA PTALBOT Port Talbot Parkway
PTH PERTH Perth
RDG RDNG4AB,RDNGSTN Reading
RDH REDHILL Redhill
RED REDRUTH Redruth
RET RTFD Retford
RHL RHYL Rhyl
RMC ROTHCEN Rotherham Central
RTR RCHT Rochester
RUG RUGBY Rugby
SAC STALBCY St Albans City
SAL SLSBRY Salisbury
SAU STAUSTL St Austell
SBY SELBY Selby
SCA SCARBRO Scarborough
SEV SVNOAKS Sevenoaks
SHF SHEFFLD Sheffield
SHR SHRWBY Shrewsbury
SHY SHPY Shipley
SKI SKPT Skipton
SLO SLOUGH Slough
SMK STWMRKT Stowmarket
SOA SOTPKWY Southampton Airport Parkway
SOC STHCENT Southend Central
SOT STOKEOT Stoke-on-Trent
SOU SOTON Southampton Central
SPT STKP Stockport
SRA STFD Stratford
SSD STANAIR Stansted Airport
STA STAFFRD Stafford
STD STRUD Stroud
STG STIRLNG Stirling
STP STPADOM,STPX London St Pancras International
SUN SNDRLND Sunderland
SVG STEVNGE Stevenage
SWA SWANSEA Swansea
SWI SDON Swindon
TAM TMWTHLL Tamworth
TAU TAUNTON Taunton
TBD THBDGS Three Bridges
THI THIRSK Thirsk
TOD TODMRDN Todmorden
TON TONBDG Tonbridge
TOT TOTNES Totnes
TRU TRURO Truro
TVP TIVIPW Tiverton Parkway
VIC VICTRIC,VICTRIE London Victoria
WAC WRGT Warrington Central
WAT WATRLMN London Waterloo
WBQ WRGTNBQ Warrington Bank Quay
WEL WLNGBRO Wellingborough
WEY WEYMTH Weymouth
WFJ WATFDJ,WATFJDC Watford Junction
WGN WIGANNW Wigan North Western
WGW WIGANWL Wigan Wallgate
WIN WNCHSTR Winchester
WKF WKFLDWG Wakefield Westgate
WKK WKFLDKG Wakefield Kirkgate
WOF WORCSFS Worcester Foregate Street
WOK WOKING Woking
WOS WORCSSH Worcester Shrub Hill
WRH WORTHNG Worthing
WRP WARWPWY Warwick Parkway
WRX WREXHMG Wrexham General
WSM WSMARE Weston-super-Mare
WTM WITHAME Witham
WVH WVRMPTN Wolverhampton
YRK YORK York
YVJ YOVILJN Yeovil Junction
ZFD FRNDNLT Farringdon
`;

const byCrs = new Map<string, Station>();
const byTiploc = new Map<string, Station>();
for (const line of table.trim().split('\n')) {
  const [crs, tiplocs, ...words] = line.split(' ') as [string, string, ...string[]];
  const station = { crs, name: words.join(' ') };
  byCrs.set(crs, station);
  for (const tiploc of tiplocs.split(',')) byTiploc.set(tiploc, station);
}

/** The station of a CRS code, null when it is not recognised. */
export const stationOfCrs = (crs: string): Station | null => byCrs.get(crs) ?? null;

/** The station of a CRS or TIPLOC code, null when it is not recognised. */
export const stationOf = (code: string): Station | null => byCrs.get(code) ?? byTiploc.get(code) ?? null;
