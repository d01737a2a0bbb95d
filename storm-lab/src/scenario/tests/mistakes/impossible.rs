use super::each_is_one_mistake;

#[test]
fn what_cannot_be_is_refused() {
    each_is_one_mistake(&[
        (
            &[("30.0", "-30.0")],
            "clients.rate",
            "-30.0",
            &["cannot be `-30.0`", "from 0 to 1000000000"],
        ),
        (
            &[("duration", "watch = \"order\"\nduration")],
            "watch",
            "\"order\"",
            &["there is no tier `order`", "did you mean `orders`", "write one of `orders`"],
        ),
        (&[("30.0", "nan")], "clients.rate", "nan", &["cannot be `nan`"]),
        (&[("30.0", "inf")], "clients.rate", "inf", &["cannot be `inf`"]),
        (&[("30.0", "1e999")], "clients.rate", "1e999", &["cannot be `1e999`"]),
        (&[("= 20", "= 0")], "clients.processes", "0", &["from 1 to"]),
        (&[("= 20", "= -1")], "clients.processes", "-1", &["from 1 to"]),
        (
            &[("= 20", "= 99999999999999999999999999999999999999999999")],
            "clients.processes",
            "99999999999999999999999999999999999999999999",
            &["from 1 to"],
        ),
        (&[("workers = 10", "workers = 0")], "tier.server.workers", "0", &["from 1 to"]),
        (&[("0.15", "1.5")], "fault.share", "1.5", &["from 0 to 1"]),
        (&[("0.15", "-0.1")], "fault.share", "-0.1", &["from 0 to 1"]),
        (&[("share = 0.15", "")], "fault.share", "[[fault]]", &["nothing is lost"]),
        (
            &[("share = 0.15", "share = 0.15\nrequest = 0.1")],
            "fault.share",
            "0.15",
            &["write it alone"],
        ),
        (
            &[("\"10ms\"", "{ median = \"10ms\", p99 = \"5ms\" }")],
            "tier.server.service.p99",
            "\"5ms\"",
            &["below `median`"],
        ),
        (
            &[("\"10ms\"", "{ median = \"0ms\", p99 = \"5ms\" }")],
            "tier.server.service.median",
            "\"0ms\"",
            &["zero"],
        ),
        (
            &[("\"10ms\"", "{ median = \"10ms\" }")],
            "tier.server.service.p99",
            "{ median = \"10ms\" }",
            &["no `p99`"],
        ),
        (
            &[("\"10ms\"", "{ exponential = \"10ms\", p99 = \"20ms\" }")],
            "tier.server.service.p99",
            "\"20ms\"",
            &["belongs to `median`"],
        ),
        (
            &[("\"10ms\"", "{ uniform = [\"10ms\", \"5ms\"] }")],
            "tier.server.service.uniform",
            "[\"10ms\", \"5ms\"]",
            &["ends before it begins"],
        ),
        (&[("\"10ms\"", "{}")], "tier.server.service.", "{}", &["one thing at once"]),
        (
            &[("workers = 10", "workers = 10, endpoints = 3")],
            "tier.server.endpoints",
            "3",
            &["shared evenly"],
        ),
        (
            &[("workers = 10", "workers = 10, endpoints = 5, queue = 99")],
            "tier.server.queue",
            "99",
            &["a queue of 99 cannot be shared evenly by 5 endpoints", "write `95` or `100`"],
        ),
        (
            &[("workers = 10", "workers = 10, endpoints = 2, queue = 4294967295")],
            "tier.server.queue",
            "4294967295",
            &["write `4294967294`"],
        ),
        (
            &[("workers = 10", "workers = 131_072, endpoints = 65_536")],
            "tier.server.endpoints",
            "65_536",
            &["from 1 to 65535"],
        ),
        (&[("rate = 30.0", "")], "clients.rate", "[clients]", &["make no calls"]),
        (
            &[("rate = 30.0", "rate = 30.0\nthink = \"1s\"")],
            "clients.think",
            "\"1s\"",
            &["callers"],
        ),
    ]);
}

#[test]
fn times_lie_within_the_scenario() {
    each_is_one_mistake(&[
        (
            &[("\"60s\"", "\"60s\"\nwindow = [\"30s\", \"61s\"]")],
            "window",
            "[\"30s\", \"61s\"]",
            &["ends after the scenario"],
        ),
        (
            &[("\"60s\"", "\"60s\"\nwindow = [\"30s\", \"20s\"]")],
            "window",
            "[\"30s\", \"20s\"]",
            &["ends before it begins"],
        ),
        (
            &[("\"60s\"", "\"60s\"\nwindow = [\"30s\", \"30s\"]")],
            "window",
            "[\"30s\", \"30s\"]",
            &["empty"],
        ),
        (
            &[("share = 0.15", "share = 0.15\nat = \"60s\"")],
            "fault.at",
            "\"60s\"",
            &["after the scenario has ended"],
        ),
        (&[("share = 0.15", "share = 0.15\nfor = \"0s\"")], "fault.for", "\"0s\"", &["zero"]),
        (
            &[("rate = 30.0", "wave = { calls = 3, at = \"61s\" }")],
            "clients.wave.at",
            "\"61s\"",
            &["not over"],
        ),
    ]);
}

#[test]
fn faults_fit_their_tiers() {
    let loss = "kind = \"loss\"\nshare = 0.15";
    each_is_one_mistake(&[
        (
            &[("kind = \"loss\"", "kind = \"lost\"")],
            "fault",
            "\"lost\"",
            &["no kind of fault; did you mean `loss`?", "`stall`"],
        ),
        (&[("kind = \"loss\"\n", "")], "fault", "[[fault]]", &["no `kind`", "`loss`"]),
        (&[(loss, "kind = \"endpoints\"\ndown = 2")], "fault.down", "2", &["no more than 1"]),
        (
            &[(loss, "kind = \"page\"\nnumber = 2")],
            "fault.number",
            "2",
            &["no attempt makes 2 calls"],
        ),
        (&[(loss, "kind = \"slow\"")], "fault.factor", "[[fault]]", &["no `factor`"]),
        (&[(loss, "kind = \"slow\"\nfactor = 0")], "fault.factor", "0", &["from 0.001 to"]),
        (&[(loss, "kind = \"outage\"\nstatus = 200")], "fault.status", "200", &["from 400 to 599"]),
        (&[(loss, "kind = \"outage\"\nshare = 2")], "fault.share", "2", &["from 0 to 1"]),
        (&[(loss, "kind = \"throttle\"")], "fault.limit", "[[fault]]", &["no `limit`"]),
        (
            &[("share = 0.15", "share = 0.15\ntier = \"order\"")],
            "fault.tier",
            "\"order\"",
            &["no tier `order`; did you mean `orders`?"],
        ),
        (
            &[
                ("server = { workers = 10, service = \"10ms\" }", ""),
                (loss, "kind = \"slow\"\nfactor = 2"),
            ],
            "fault.kind",
            "\"slow\"",
            &["no server"],
        ),
        (
            &[(
                "service = \"10ms\" }",
                "service = \"10ms\" }\ncalls = [\"db\"]\n[[tier]]\nname = \"db\"",
            )],
            "fault.tier",
            "[[fault]]",
            &["does not say where", "`orders`, `db`"],
        ),
    ]);
}
