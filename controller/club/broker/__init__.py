"""A club's broker: Mosquitto's files for a club, and the hub's own Mosquitto if there is no other.

| to | there is |
|---|---|
| configure the club's own Mosquitto | `write_files` |
| run one for as long as the hub runs | `BrokerKeeper` |
"""

from controller.club.broker.files import Account, Listener, write_files
from controller.club.broker.process import INSTALL, BrokerKeeper, mosquitto_found

__all__ = [
    "INSTALL", "Account", "BrokerKeeper", "Listener", "mosquitto_found", "write_files",
]  # fmt: skip
