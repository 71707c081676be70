//! No call reaches an internal address, in whatever spelling and through whatever name.

use crate::support::{Receiver, at_home, post, read_request, with_names};
use outbound::{
    guard::Allowed,
    http::{CallError, Endpoint, Http, Resolver},
};
use proptest::{prelude::*, test_runner::TestRunner};
use std::{
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

const CASES: u32 = 10_000;

fn ip(text: &str) -> IpAddr {
    text.parse().unwrap()
}

/// A notation of one number of a dotted address.
fn number(value: u32, way: u8) -> String {
    match way % 4 {
        0 => value.to_string(),
        1 => format!("{value:#x}"),
        2 => format!("0X{value:08X}"),
        _ => format!("0{value:o}"),
    }
}

/// An IPv4 address with one to four numbers, each in its own notation.
fn dotted(address: Ipv4Addr, numbers: u8, ways: [u8; 4]) -> String {
    let [a, b, c, d] = address.octets().map(u32::from);
    let numbers = match numbers % 4 {
        0 => vec![u32::from(address)],
        1 => vec![a, b << 16 | c << 8 | d],
        2 => vec![a, b, c << 8 | d],
        _ => vec![a, b, c, d],
    };
    numbers.into_iter().zip(ways).map(|(value, way)| number(value, way)).collect::<Vec<_>>().join(".")
}

/// A disguise of a host that URL parsers undo.
fn disguise(host: &str, way: u8) -> String {
    match way % 7 {
        0 => host.bytes().fold(String::new(), |text, byte| format!("{text}%{byte:02x}")),
        1 => host.chars().map(full_width).collect(),
        2 => host.replace('.', "。"),
        3 => format!("{host}."),
        4 => host.replace('.', "%2E"),
        5 => host.replace('.', "\u{ff0e}"),
        _ => host.to_owned(),
    }
}

fn full_width(letter: char) -> char {
    let code = if letter.is_ascii_alphanumeric() { letter as u32 + 0xfee0 } else { letter as u32 };
    char::from_u32(code).unwrap()
}

fn ipv4_inside() -> impl Strategy<Value = Ipv4Addr> {
    let network = prop::sample::select(vec![
        (0x7f00_0000, 8),
        (0, 8),
        (0x0a00_0000, 8),
        (0x6440_0000, 10),
        (0xa9fe_0000, 16),
        (0xac10_0000, 12),
        (0xc000_0000, 24),
        (0xc0a8_0000, 16),
        (0xc612_0000, 15),
        (0xe000_0000, 4),
        (0xf000_0000, 4),
    ]);
    let any = (network, any::<u32>())
        .prop_map(|((base, prefix), random): ((u32, u32), u32)| Ipv4Addr::from(base | random >> prefix));
    prop_oneof![Just(Ipv4Addr::LOCALHOST), Just(Ipv4Addr::UNSPECIFIED), Just(Ipv4Addr::new(169, 254, 169, 254)), any]
}

/// Internal IPv6 addresses. Many of them embed an IPv4 address, public or not.
fn ipv6_inside() -> impl Strategy<Value = Ipv6Addr> {
    let holding = |high: u128, shift: u32| {
        prop_oneof![ipv4_inside(), any::<u32>().prop_map(Ipv4Addr::from)]
            .prop_map(move |inside| Ipv6Addr::from(high | u128::from(u32::from(inside)) << shift))
    };
    let within = |high: u128, prefix: u32| any::<u128>().prop_map(move |low| Ipv6Addr::from(high | low >> prefix));
    prop_oneof![
        Just(Ipv6Addr::LOCALHOST),
        Just(Ipv6Addr::UNSPECIFIED),
        holding(0xffff << 32, 0),           // mapped
        holding(0, 0),                      // compatible
        holding(0x0064_ff9b << 96, 0),      // NAT64
        holding(0x0064_ff9b_0001 << 80, 0), // NAT64, local
        holding(0x2002 << 112, 80),         // 6to4
        holding(0x2001 << 112, 0),          // Teredo
        within(0xfc00 << 112, 7),
        within(0xfe80 << 112, 10),
        within(0xfec0 << 112, 10),
        within(0xff00 << 112, 8),
        within(0x2001_0db8 << 96, 32),
        within(0x3fff << 112, 20),
        within(0x5f00 << 112, 16),
        within(0x0100 << 112, 64),
    ]
}

fn spelled_ipv4(address: impl Strategy<Value = Ipv4Addr>) -> impl Strategy<Value = String> {
    (address, any::<u8>(), any::<[u8; 4]>(), any::<u8>())
        .prop_map(|(address, numbers, ways, way)| disguise(&dotted(address, numbers, ways), way))
}

fn spelled_ipv6() -> impl Strategy<Value = String> {
    (ipv6_inside(), 0..4).prop_map(|(address, way)| {
        let groups = address.segments();
        let [.., a, b] = groups;
        match way {
            0 => format!("[{address}]"),
            1 => format!("[{}]", groups.map(|group| format!("{group:04X}")).join(":")),
            2 => format!(
                "[{}:{}.{}.{}.{}]",
                groups[..6].iter().map(|group| format!("{group:x}")).collect::<Vec<_>>().join(":"),
                a >> 8,
                a & 255,
                b >> 8,
                b & 255
            ),
            _ => format!("[{}]", groups.map(|group| format!("{group:x}")).join(":")),
        }
    })
}

fn scheme() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec!["http://", "https://", "HTTP://", "hTTps:\\\\", "http:", "https:/", "http:////"])
}

/// A public address. These tests never connect to one.
fn outside() -> impl Strategy<Value = IpAddr> {
    prop::sample::select(vec![ip("1.1.1.1"), ip("93.184.216.34"), ip("2606:4700::1111")])
}

fn inside() -> impl Strategy<Value = IpAddr> {
    prop_oneof![ipv4_inside().prop_map(IpAddr::V4), ipv6_inside().prop_map(IpAddr::V6)]
}

/// Runs a property with a runtime. No call may reach the receiver.
fn never_reached<T: std::fmt::Debug>(
    cases: impl Strategy<Value = T>,
    check: impl Fn(&tokio::runtime::Runtime, u16, T) -> Result<(), TestCaseError>,
) {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let receiver = runtime.block_on(async { Receiver::everywhere() });
    let mut runner = TestRunner::new(ProptestConfig { cases: CASES, failure_persistence: None, ..Default::default() });
    runner.run(&cases, |case| check(&runtime, receiver.port(), case)).unwrap();
    assert_eq!(receiver.connections(), 0);
}

#[test]
fn internal_addresses_are_rejected_in_every_spelling() {
    // If a spelling were taken for a name, it would resolve to this.
    let http = with_names("", &[IpAddr::V4(Ipv4Addr::LOCALHOST)]);
    let cases = (scheme(), prop_oneof![spelled_ipv4(ipv4_inside()), spelled_ipv6()]);
    never_reached(cases, |runtime, port, (scheme, host)| {
        let url = format!("{scheme}{host}:{port}/");
        let to = Endpoint::parse(&url).map_err(|error| TestCaseError::fail(format!("{url}: {error}")))?;
        prop_assert_eq!(http.check(&to), Err(CallError::AddressNotAllowed), "{}", url);
        prop_assert_eq!(runtime.block_on(post(&http, &to)), Err(CallError::AddressNotAllowed), "{}", url);
        Ok(())
    });
}

#[test]
fn urls_with_confusing_hosts_are_rejected() {
    let http = with_names("", &[IpAddr::V4(Ipv4Addr::LOCALHOST)]);
    let host = prop_oneof![spelled_ipv4(ipv4_inside()), spelled_ipv6(), Just("localhost".to_owned())];
    let around = prop::sample::select(vec![
        ("public.example@", ""),
        ("public.example:1@", ""),
        ("", "@public.example"),
        ("public.example#@", ""),
        ("public.example\\@", ""),
        ("public.example/", ""),
        ("public.example%2F@", ""),
        ("", "%00.public.example"),
        ("", "%25eth0"),
        ("", "%"),
        ("", "\t"),
        (" ", ""),
        ("\u{ad}", ""),
        ("", ".."),
        ("[", "]"),
        ("", ".public.example"),
    ]);
    never_reached((scheme(), around, host), |runtime, port, (scheme, (before, after), host)| {
        let Ok(to) = Endpoint::parse(&format!("{scheme}{before}{host}{after}:{port}/")) else { return Ok(()) };
        prop_assert_eq!(runtime.block_on(post(&http, &to)), Err(CallError::AddressNotAllowed), "{}", to.as_str());
        Ok(())
    });
}

#[test]
fn names_with_an_internal_address_are_rejected() {
    let name = prop_oneof![
        prop::sample::select(vec!["localhost", "LOCALHOST.", "localhost.localdomain", "ip6-localhost"])
            .prop_map(str::to_owned),
        "[a-w][a-z0-9-]{0,20}[a-z](\\.[a-z]{1,10}){0,3}\\.?",
    ];
    let answer =
        (inside(), prop::collection::vec(prop_oneof![inside(), outside()], 0..4), any::<prop::sample::Index>());
    never_reached((scheme(), name, answer), |runtime, port, (scheme, name, (inside, mut answer, place))| {
        answer.insert(place.index(answer.len() + 1), inside);
        let to = Endpoint::parse(&format!("{scheme}{name}:{port}/")).unwrap();
        let result = runtime.block_on(post(&with_names_quickly(&answer), &to));
        prop_assert_eq!(result, Err(CallError::AddressNotAllowed), "{} is {:?}", to.as_str(), answer);
        Ok(())
    });
}

/// Shares one client between the cases, because each client loads the root certificates.
fn with_names_quickly(answer: &[IpAddr]) -> Http {
    use std::sync::{LazyLock, Mutex};
    static ANSWER: LazyLock<Mutex<Vec<IpAddr>>> = LazyLock::new(Mutex::default);
    static HTTP: LazyLock<Http> = LazyLock::new(|| {
        Http::with_resolver(Allowed::default(), Resolver::function(|_| ANSWER.lock().unwrap().clone())).unwrap()
    });
    *ANSWER.lock().unwrap() = answer.to_vec();
    HTTP.clone()
}

#[tokio::test]
async fn names_that_the_system_resolves_to_this_machine_are_rejected() {
    let receiver = Receiver::everywhere();
    let http = Http::new(Allowed::default()).unwrap();
    for name in ["localhost", "LocalHost", "localhost.", "%6cocalhost", "ｌocalhost", "ip6-localhost"] {
        for scheme in ["http", "https"] {
            let to = Endpoint::parse(&format!("{scheme}://{name}:{}/", receiver.port())).unwrap();
            let result = post(&http, &to).await;
            assert!(matches!(result, Err(CallError::AddressNotAllowed | CallError::UnknownHost)), "{name}: {result:?}");
        }
    }
    assert_eq!(receiver.connections(), 0);
}

#[tokio::test]
async fn plain_http_is_limited_to_allowed_addresses() {
    let mixed = with_names("127.0.0.0/8", &[ip("127.0.0.1"), ip("1.1.1.1")]);
    let receiver = Receiver::everywhere();
    let to = Endpoint::parse(&format!("http://mixed.example:{}/", receiver.port())).unwrap();
    assert_eq!(post(&mixed, &to).await, Err(CallError::PlainHttpNotAllowed));
    for (url, expected) in [
        ("http://1.1.1.1/", Err(CallError::PlainHttpNotAllowed)),
        ("http://[2606:4700::1111]/", Err(CallError::PlainHttpNotAllowed)),
        ("https://1.1.1.1/", Ok(())),
        ("http://10.0.0.1/", Err(CallError::AddressNotAllowed)),
        ("http://127.0.0.1/", Ok(())),
        ("http://name.example/", Ok(())),
    ] {
        assert_eq!(mixed.check(&Endpoint::parse(url).unwrap()), expected, "{url}");
    }
    assert_eq!(receiver.connections(), 0);
}

/// A name that resolves to 127.0.0.2 the first time, and to 127.0.0.1 from then on.
#[tokio::test]
async fn dns_rebinding_gains_nothing() {
    let closing = |mut stream| async move {
        read_request(&mut stream).await;
        let answer = b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";
        let _ = tokio::io::AsyncWriteExt::write_all(&mut stream, answer).await;
    };
    // Another program may use the same port on the other address.
    let (open, closed) = loop {
        let open = Receiver::start_at("127.0.0.2:0".parse().unwrap(), closing).unwrap();
        if let Ok(closed) = Receiver::start_at(format!("127.0.0.1:{}", open.port()).parse().unwrap(), closing) {
            break (open, closed);
        }
    };
    let asked = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&asked);
    let resolver = Resolver::function(move |_| {
        let first = count.fetch_add(1, Ordering::SeqCst) == 0;
        vec![if first { ip("127.0.0.2") } else { ip("127.0.0.1") }]
    });
    let http = Http::with_resolver("127.0.0.2".parse().unwrap(), resolver).unwrap();
    let to = Endpoint::parse(&format!("http://rebinding.example:{}/", open.port())).unwrap();
    assert_eq!(post(&http, &to).await.unwrap().status, 200);
    assert_eq!((asked.load(Ordering::SeqCst), open.connections(), closed.connections()), (1, 1, 0));
    assert_eq!(post(&http, &to).await, Err(CallError::AddressNotAllowed));
    assert_eq!((open.connections(), closed.connections()), (1, 0));
}

/// The same receiver and spellings, but allowed by the operator: this proves that the tests above can fail.
#[tokio::test]
async fn allowed_addresses_are_reached_in_every_spelling() {
    let receiver = Receiver::everywhere();
    let mut hosts = vec!["localhost".to_owned(), "[::ffff:127.0.0.1]".to_owned(), "[::ffff:7f00:1]".to_owned()];
    for numbers in 0..4 {
        for way in 0..4 {
            let dotted = dotted(Ipv4Addr::LOCALHOST, numbers, [way; 4]);
            hosts.extend((0..7).map(|disguised| disguise(&dotted, disguised)));
        }
    }
    if receiver.address.is_ipv6() {
        hosts.push("[::1]".to_owned());
    }
    for (place, host) in hosts.iter().enumerate() {
        let to = Endpoint::parse(&format!("http://{host}:{}/", receiver.port())).unwrap();
        assert_eq!(post(&at_home(), &to).await.map(|answer| answer.status), Ok(200), "{host}");
        assert_eq!(receiver.connections(), place + 1, "{host}");
    }
}
