//! The hosts of an address, each as an address of its own.

use tokio_postgres::Config;
use tokio_postgres::config::Host;

/// Every host of an address by itself, with all else that the address says.
pub(crate) fn each_host(config: &Config) -> impl Iterator<Item = Config> {
    let hosts = config.get_hosts().len().max(config.get_hostaddrs().len());
    (0..hosts).map(|number| alone(config, number))
}

/// The host with this number. One port may be that of all hosts.
fn alone(config: &Config, number: usize) -> Config {
    let mut one = without_hosts(config);
    match config.get_hosts().get(number) {
        Some(Host::Tcp(name)) => {
            one.host(name);
        }
        #[cfg(unix)]
        Some(Host::Unix(path)) => {
            one.host_path(path);
        }
        None => {}
    }
    if let Some(address) = config.get_hostaddrs().get(number) {
        one.hostaddr(*address);
    }
    let ports = config.get_ports();
    if let Some(port) = ports.get(number).or(ports.first()) {
        one.port(*port);
    }
    one
}

fn without_hosts(config: &Config) -> Config {
    let mut one = Config::new();
    one.ssl_mode(config.get_ssl_mode())
        .ssl_negotiation(config.get_ssl_negotiation())
        .keepalives(config.get_keepalives())
        .keepalives_idle(config.get_keepalives_idle())
        .target_session_attrs(config.get_target_session_attrs())
        .channel_binding(config.get_channel_binding());
    config.get_user().map(|user| one.user(user));
    config.get_password().map(|password| one.password(password));
    config.get_dbname().map(|name| one.dbname(name));
    config.get_options().map(|options| one.options(options));
    config.get_application_name().map(|name| one.application_name(name));
    config.get_connect_timeout().map(|timeout| one.connect_timeout(*timeout));
    config.get_tcp_user_timeout().map(|timeout| one.tcp_user_timeout(*timeout));
    config.get_keepalives_interval().map(|interval| one.keepalives_interval(interval));
    config.get_keepalives_retries().map(|retries| one.keepalives_retries(retries));
    one
}

#[cfg(test)]
mod tests {
    use std::str::FromStr;

    use super::*;

    #[test]
    fn one_host_alone_is_reached_as_it_was_among_others() {
        let parameters = "options=-cx%3D1&application_name=n&sslmode=require&connect_timeout=7\
             &tcp_user_timeout=8&keepalives=0&keepalives_idle=9&keepalives_interval=10\
             &keepalives_retries=11&target_session_attrs=read-write&channel_binding=disable\
             &sslnegotiation=direct";
        let address = |hosts: &str| {
            Config::from_str(&format!("postgres://u:p@{hosts}/db?{parameters}")).unwrap()
        };
        let found: Vec<Config> = each_host(&address("a:1,b:2,c:3")).collect();
        assert_eq!(found, ["a:1", "b:2", "c:3"].map(address));
        let shared = |hosts: &str| Config::from_str(&format!("host={hosts} port=7")).unwrap();
        assert_eq!(each_host(&shared("a,b")).collect::<Vec<_>>(), ["a", "b"].map(shared));
    }

    #[test]
    fn hosts_that_are_known_by_number_keep_it() {
        let address = |hosts: &str| Config::from_str(hosts).unwrap();
        let found: Vec<Config> = each_host(&address("hostaddr=127.0.0.1,127.0.0.2")).collect();
        assert_eq!(found, ["hostaddr=127.0.0.1", "hostaddr=127.0.0.2"].map(address));
    }
}
