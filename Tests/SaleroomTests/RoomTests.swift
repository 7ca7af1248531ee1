import Saleroom
